// Lesson papers: their text as extracted from the PDF, their size, fonts and bytes.
import { unzipSync } from 'fflate';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { arabicDigits } from '#core/platform/pdf/text.ts';
import { itemsInOrder, type LessonPaper } from '#teaching/lessons/papers/pages/paper.ts';
import { printPack, printVariant, printVariants } from '#teaching/lessons/papers/print.ts';
import { canReadPages, letterText, needsReader } from '../../../core/platform/pdf/pdf-text.ts';
import { skipped } from '../../../harness/needs.ts';
import { blueprintOf, itemOf } from '../../lesson-blueprints/rows.ts';

const { titleAr, segments, items } = blueprintOf();
const paper: LessonPaper = {
  ...{ organizationName: 'مؤسسة البيان', schoolName: 'مدرسة النور', address: 'https://literacy.example' },
  ...{ titleAr, classNameAr: 'الثاني 2B', grade: 2, scheduledOn: '2026-01-18', stepNo: 3 },
  ...{ goalsAr: ['قراءة كلمة'], recipients: ['أم كلثوم', 'عبد الرحمن', 'ليلى'], segments, items },
  madeAt: '2026-01-15T08:00:00.000Z',
};

const heard = 'اِسْمَعْ ثُمَّ اخْتَرْ';
const passage = 'ذَهَبَ سَامِي إِلَى الْحَدِيقَةِ مَعَ أَخِيهِ، وَلَعِبَ بِالْكُرَةِ حَتَّى غَرَبَتِ الشَّمْسُ. ';

/** A name and an option of one long word, which must not exceed the page. */
const longName = 'عبدالرحمنالطويلالاسم'.repeat(4);

/** Forty items with passages, sixty students. */
const full: LessonPaper = {
  ...paper,
  recipients: Array.from({ length: 60 }, (_, at) => (at === 7 ? longName : 'محمد')),
  segments: [
    { segmentNo: 1, kind: 'opening', minutes: 5, scriptAr: passage.repeat(11), itemRefs: [] },
    { segmentNo: 2, kind: 'check', minutes: 40, scriptAr: passage.repeat(11), itemRefs: [] },
  ],
  items: Array.from({ length: 40 }, (_, at) => ({
    ...itemOf(`item-${at}`, 'DEC_WORD'),
    speechAr: heard.repeat(15),
    passageAr: at % 8 === 0 ? passage.repeat(13) : null,
    options: ['مَعَ أَخِيهِ الصَّغِيرِ فِي الْبَيْتِ', 'فِي الْحَدِيقَةِ الْكَبِيرَةِ', 'ك'.repeat(120)],
  })),
};

const textOf = (pdf: Uint8Array, ...options: string[]): string =>
  letterText(pdf, ...options).replaceAll(options.includes('-layout') ? /[^\S\f\n]+/g : /[^\S\f]+/g, ' ');

const count = (text: string, part: string): number => text.split(part.normalize('NFC')).length - 1;
const pagesOf = (text: string): string[] => text.split('\f').slice(0, -1);

test('equal papers have equal bytes, alone, together and in an archive; different papers have different bytes', async () => {
  for (const print of [
    (of: LessonPaper) => printVariant(of, 'student_sheet'),
    (of: LessonPaper) => printVariants(of, ['answer_key', 'teacher_guide']),
    printPack,
  ]) {
    const first = Buffer.from(await print(paper));
    assert.ok(first.equals(await print(structuredClone(paper))));
    assert.not.ok(first.equals(await print({ ...paper, classNameAr: 'الثاني 2C' })));
  }
});

test('A4, right to left, both font weights embedded, title displayed, no names in the metadata', async () => {
  const text = (await printVariant(paper, 'teacher_guide')).toString('latin1');
  for (const part of ['/Lang (ar)', '/DisplayDocTitle true', '/MediaBox [0 0 595.28 841.89]']) assert.match(text, part);
  assert.is(count(text, '/FontFile2'), 2);
  assert.not.match(text, /\/(JavaScript|URI|EmbeddedFile)\b/);
});

test('several papers come in one archive in a fixed order', async () => {
  const files = unzipSync(await printVariants(paper, ['answer_key', 'student_sheet']));
  assert.equal(Object.keys(files), ['student-sheets.pdf', 'answer-key.pdf']);
  assert.ok(Buffer.from(files['answer-key.pdf'] ?? []).equals(await printVariant(paper, 'answer_key')));
});

test('sixty students and forty long items stay under 500 KB, and memory does not grow between documents', async () => {
  const sizes: number[] = [];
  for (let round = 0; round < 2; round++) {
    const { length } = await printVariant(full, 'student_sheet');
    assert.ok(length <= 500_000, String(length));
    globalThis.gc?.();
    sizes.push(process.memoryUsage().arrayBuffers);
  }
  assert.ok((sizes[1] ?? 0) - (sizes[0] ?? 0) < 20_000_000, sizes.join());
});

test('items are numbered in the order of the segments', () => {
  const [one, two, three] = items;
  if (!one || !two || !three) throw new Error('there are six');
  const flow = {
    segments: [{ ...segments[1], itemRefs: [three.itemRef, one.itemRef] } as never],
    items: [one, two, three],
  };
  assert.equal(
    itemsInOrder(flow).map(({ no, itemRef }) => [no, itemRef]),
    [
      [1, three.itemRef],
      [2, one.itemRef],
      [3, two.itemRef],
    ],
  );
});

if (!canReadPages) skipped('text of papers', needsReader);
else {
  test('one sheet per child: the name on every page, every item with its options, and no speech texts', async () => {
    const spoken = items.map((item) => ({ ...item, speechAr: heard, passageAr: passage.trim() }));
    const pages = pagesOf(textOf(await printVariant({ ...paper, items: spoken }, 'student_sheet')));
    assert.is(pages.length % 3, 0);
    const each = pages.length / 3;
    for (const [at, name] of paper.recipients.entries()) {
      const own = pages.slice(at * each, (at + 1) * each);
      for (const page of own)
        for (const expected of [
          `الاسم: ${name} – الثاني 2B`,
          'العنوان: https://literacy.example',
          'سري – مؤسسة البيان – مدرسة النور',
        ])
          assert.match(page, expected);
      const text = own.join('');
      for (const other of paper.recipients) if (other !== name) assert.not.match(text, other);
      assert.is(count(text, 'أَيُّ كَلِمَةٍ نَقْرَأُ؟'), items.length);
      for (const option of ['بَابٌ', 'بَابًا', 'دَارٌ']) assert.is(count(text, option), items.length, option);
      assert.is(count(text, passage.trim()), 1, 'a passage of several items is printed once');
      assert.not.match(text, heard.normalize('NFC'));
    }
    assert.match(pages.at(-1) ?? '', new RegExp(`صفحة ${arabicDigits(each)} من ${arabicDigits(each)}`));
  });

  test('sheets without recipients have a line to write a name on', async () => {
    const [page] = pagesOf(textOf(await printVariant({ ...paper, recipients: [] }, 'student_sheet')));
    assert.match(page ?? '', /الاسم: \. \./);
  });

  test('the guide: goal, step, minutes, scripts, spoken texts, and the checklist of students', async () => {
    const spoken = items.map((item) => ({ ...item, speechAr: heard }));
    const text = textOf(await printVariant({ ...paper, items: spoken }, 'teacher_guide'));
    const parts = ['الهدف: قراءة كلمة', 'الخطوة: ٣', 'المدة: ٢٠ دقيقة', '١. افتتاح – ٥ دقائق', '٢. تحقق – ١٥ دقيقة'];
    for (const part of parts) assert.match(text, part);
    for (const { scriptAr } of segments) assert.match(text, scriptAr.normalize('NFC'));
    assert.is(count(text, heard), items.length);
    for (const name of paper.recipients) assert.is(count(text, name), 1);
    assert.ok(text.indexOf('افتتاح') < text.indexOf('تحقق'));
  });

  test('the key: the right option of each item under its number, and no names', async () => {
    const text = textOf(await printVariant(paper, 'answer_key'), '-layout');
    assert.is(text.split('\n').filter((line) => line.includes('بَابٌ') && /[١-٦]/.test(line)).length, 6, text);
    for (const name of paper.recipients) assert.not.match(text, name);
  });

  test('a large lesson is printed completely, rows are not split and headers are repeated', async () => {
    const pages = pagesOf(textOf(await printVariant(full, 'teacher_guide')));
    assert.is(count(pages.join(''), 'محمد'), 59);
    assert.match(pages.join('').replaceAll(/\s/g, ''), longName);
    const listed = pages.filter((page) => page.includes('محمد'));
    assert.ok(listed.length >= 2);
    for (const page of listed) assert.match(page, 'احتاج إلى تذكير');
    const sheet = pagesOf(textOf(await printVariant({ ...full, recipients: ['محمد'] }, 'student_sheet'))).join('');
    for (let at = 1; at <= 40; at++) {
      const no = arabicDigits(at);
      assert.match(sheet, new RegExp(`(^|\\s)${no}\\.|\\.${no}(\\s|$)`));
    }
    assert.is(count(sheet, passage.trim()), 5 * 13);
    assert.is(count(sheet.replaceAll(/\s/g, ''), 'ك'.repeat(120)), 40);
  });
}

test.run();
