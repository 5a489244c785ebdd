// The shipped passages: number, length, layout and vowelling.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { isCanonicalText, misplacedMarks, unvowelledWords } from '#assessment/content/items/engine/arabic-marks.ts';
import { firstLineWords } from '#assessment/content/passages/engine/passage.ts';
import { loadPassages } from '#assessment/content/passages/files.ts';
import { markKinds } from '#assessment/measurement/enums.ts';

const book = await loadPassages('rules', 2);
const firstVersion = await loadPassages('rules', 1);
const textOf = (passage: (typeof book.passages)[number]) => passage.words.map(({ text }) => text).join(' ');
const unvowelled = book.passages.filter(({ vowelled }) => !vowelled);
/** The indefinite accusatives of the unvowelled passages, as a language reviewer listed them. */
const accusatives = [
  ['صوتًا', 'غريبًا', 'مصباحًا', 'وحبلًا', 'طويلًا', 'وحشًا', 'كنزًا', 'أنبوبًا', 'حديديًا', 'مكسورًا', 'صفيرًا', 'حزينًا'],
  ['بخارًا', 'خفيفًا', 'معًا', 'باردًا', 'نهرًا', 'كبيرًا', 'وغدًا'],
  ['طويلًا', 'كرسيًا', 'صغيرًا', 'غدًا', 'طفلًا', 'كتبًا'],
  ['صامتًا', 'واقفًا'],
  [],
  ['شتاءً', 'جسرًا', 'بسيطًا', 'أولًا', 'طويلًا'],
];
const leastWords = [35, 55, 75, 90];
const grades = [1, 2, 3, 4];

test('at least 6 passages of each grade: a weekly probe need not repeat one within 28 days', () => {
  for (const grade of grades) assert.ok(book.ofGrade(grade).length >= 6, `grade ${grade}`);
});

test('ids, families and titles are unique and belong to the grade', () => {
  const { passages } = book;
  assert.is(new Set(passages.map(({ passageId }) => passageId)).size, passages.length);
  assert.is(new Set(passages.map(({ titleAr }) => titleAr)).size, passages.length);
  for (const { passageId, grade, formFamily } of passages) {
    assert.is(formFamily, `ORF-G${grade}`);
    assert.ok(passageId.startsWith(`${formFamily}-`));
  }
});

test('words: enough for a minute, numbered from 0, lines from 1 without a gap', () => {
  for (const { passageId, grade, words } of book.passages) {
    assert.ok(words.length >= (leastWords[grade - 1] ?? 0), `${passageId} has ${words.length} words`);
    assert.equal(
      words.map(({ index }) => index),
      words.map((_, at) => at),
      passageId,
    );
    const steps = words.slice(1).map(({ line }, at) => line - (words[at]?.line ?? 0));
    assert.is(words[0]?.line, 1);
    assert.ok(
      steps.every((step) => step === 0 || step === 1),
      passageId,
    );
  }
});

test('the first line has 6 to 10 words', () => {
  for (const passage of book.passages) {
    const { length } = firstLineWords(passage);
    assert.ok(length >= 6 && length <= 10, `${passage.passageId} has ${length}`);
  }
});

test('grades 1 to 3 are fully vowelled, grade 4 is not', () => {
  for (const passage of book.passages) {
    const { passageId, grade, vowelled, titleAr } = passage;
    assert.is(vowelled, grade <= 3, passageId);
    const text = `${titleAr} ${textOf(passage)}`;
    if (vowelled) assert.equal(unvowelledWords(text), [], passageId);
    else assert.not.match(text, /[\u064C-\u0652\u0670]/, 'no mark but tanween of fatha');
  }
});

test('tanween of fatha precedes its alef, in unvowelled texts too; no dagger alef', () => {
  for (const passage of book.passages) {
    const text = `${passage.titleAr} ${textOf(passage)}`;
    assert.not.match(text, /\u0627\u064B|\u0670/, passage.passageId);
  }
  const marked = unvowelled.map(({ words }) =>
    words.filter(({ text }) => text.includes('\u064B')).map(({ text }) => text.replace(/[.،:]/g, '')),
  );
  assert.equal(marked, accusatives);
});

test('version 2 has the words of version 1 at equal positions, so that an open reading is marked and scored alike', () => {
  const layoutOf = ({ passageId, words }: (typeof book.passages)[number]) => [
    passageId,
    ...words.map(({ index, line }) => `${index} in line ${line}`),
  ];
  assert.equal(book.passages.map(layoutOf), firstVersion.passages.map(layoutOf));
  assert.is.not(JSON.stringify(book.passages), JSON.stringify(firstVersion.passages));
});

/** Words that a language reviewer returned, with the words that they replaced. */
const sentBack: readonly (readonly [passageId: string, word: string, now: string])[] = [
  ['ORF-G1-04', 'الْعَجُوزِ.', 'الطَّيِّبِ.'],
  ['ORF-G2-01', 'ذٰلِكَ', 'ذَلِكَ'],
  ['ORF-G2-02', 'وَمُزْدَحِمًا', 'وَمُزْدَحِمَةً'],
  ['ORF-G2-03', 'هِنْدٌ', 'هِنْدُ'],
  ['ORF-G3-04', 'يُحَافِظُ', 'حَافَظَ'],
  ['ORF-G3-05', 'رِجْلَيْهَا.', 'أَرْجُلِهَا.'],
  ['ORF-G4-01', 'وصديقته', 'وأخته'],
  ['ORF-G4-02', 'والبيوت.', 'والحدائق.'],
  ['ORF-G4-03', 'وصديقها.', 'وصديقتها.'],
  ['ORF-G4-04', 'الشطرنج؟', 'الألغاز؟'],
  ['ORF-G4-05', 'عجوز', 'مسن'],
  ['ORF-G4-06', 'الرسمة', 'الرسم'],
];
for (const [passageId, word, now] of sentBack) {
  test(`${passageId}: ${now} instead of ${word}`, () => {
    const wordsOf = (from: typeof book) => from.find(passageId)?.words.map(({ text }) => text) ?? [];
    const positions = wordsOf(firstVersion).flatMap((text, at) => (text === word ? [at] : []));
    assert.ok(positions.length > 0);
    for (const at of positions) assert.is(wordsOf(book)[at], now);
  });
}

test('the marking guide lists what is no error: dropped case endings, taa in pause, sounds of the dialect', () => {
  assert.equal(firstVersion.markingGuide, []);
  const forgiven = book.markingGuide.filter(({ mark }) => mark === 'correct').map(({ code }) => code);
  assert.equal(forgiven, ['case_ending', 'taa_in_pause', 'dialect_sound']);
  assert.equal([...new Set(book.markingGuide.map(({ mark }) => mark))].sort(), [...markKinds].sort());
  for (const { ar } of book.markingGuide) assert.ok(isCanonicalText(ar), ar);
});

test('the text is canonical Arabic without misplaced marks', () => {
  for (const passage of book.passages) {
    assert.ok(isCanonicalText(textOf(passage)) && isCanonicalText(passage.titleAr), passage.passageId);
    assert.equal(misplacedMarks(textOf(passage)), [], passage.passageId);
  }
});

test('a story ends where the passage ends, and no word is mere punctuation', () => {
  for (const passage of book.passages) {
    assert.match(textOf(passage), /[.!؟]$/);
    for (const { text } of passage.words) assert.match(text, /[\u0621-\u064A]/);
  }
});

test('an unknown version is refused', async () => {
  const refusal = await loadPassages('rules', 99).then(
    () => 'loaded',
    (error: Error) => error.message,
  );
  assert.match(refusal, 'passages.v99.json');
});

test.run();
