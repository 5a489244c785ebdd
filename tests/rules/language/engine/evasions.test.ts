// Every spelling of a rule's word is found; ordinary school texts pass.
import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { setKeys, shippedCases, shippedCheck, shippedRules } from '../sets.ts';

const marks = ['\u064e', '\u064f', '\u0650', '\u0651', '\u0652', '\u064b', '\u0670', '\u0640'];
const unseen = ['\u200c', '\u200d', '\u200f', '\u00ad', '\u2066', '\ufeff', '\u115f', '\u3164'];
const variants: Readonly<Record<string, string>> = {
  ...{ ا: 'أإآٱ', أ: 'اإآ', إ: 'اأٱ', آ: 'اأ', ي: 'ىیې', ى: 'يی', ئ: 'يى', ؤ: 'و', ة: 'هە', ه: 'ةھہ' },
  ...{ ك: 'کڪ', ف: 'ڡ', ق: 'ٯ', ن: 'ں' },
};

/** Picks from a seed, so that every run makes equal choices. */
const writings: Readonly<Record<string, (phrase: string, pick: (of: number) => number) => string>> = {
  'with marks': (phrase, pick) => eachLetter(phrase, (letter) => letter + (marks[pick(marks.length)] ?? '')),
  'with invisible characters': (phrase, pick) =>
    eachLetter(phrase, (letter) => letter + (unseen[pick(unseen.length)] ?? '')),
  stretched: (phrase, pick) => eachLetter(phrase, (letter) => letter + 'ـ'.repeat(pick(4))),
  'with other forms of its letters': (phrase, pick) =>
    eachLetter(phrase, (letter) => {
      const others = variants[letter] ?? letter;
      return others[pick(others.length)] ?? letter;
    }),
  'in capital letters': (phrase) => phrase.toUpperCase(),
  'in wide letters': (phrase) => phrase.replace(/[!-~]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) + 0xfee0)),
  'as numbers of letters': (phrase) => eachLetter(phrase, (letter) => `&#${letter.codePointAt(0)};`),
  'with more room between words': (phrase) => phrase.replaceAll(' ', ' \n\t '),
  'spelled apart': (phrase) => (/^\p{L}{3,}$/u.test(phrase) ? [...phrase].join(' ') : phrase),
  'with a letter drawn out': (phrase) =>
    phrase.includes(' ') ? phrase : phrase.replace(/^(\p{L})(\p{L})(\p{L}+)$/u, (_, a, b, c) => a + b.repeat(6) + c),
  'from the other side': (phrase) => `\u202d${[...phrase].reverse().join('')}\u202c`,
};

const eachLetter = (phrase: string, change: (letter: string) => string): string =>
  [...phrase].map((unit) => (/\p{L}/u.test(unit) ? change(unit) : unit)).join('');

for (const key of setKeys) {
  const check = shippedCheck(key);
  const found = (text: string, id: string, tier: Parameters<typeof check>[1]): boolean =>
    check(text, tier).violations.some(({ ruleId }) => ruleId === id);
  for (const { id, tiers, match } of shippedRules(key)) {
    if (!('phrases' in match)) continue;
    const [tier] = tiers;
    if (!tier) throw new Error(`${id} has no tier`);
    test(`${key}: ${id} finds each of its phrases in every spelling`, () => {
      for (const phrase of match.phrases) assert.ok(found(phrase, id, tier), phrase);
      for (const [how, write] of Object.entries(writings)) {
        fc.assert(
          fc.property(fc.constantFrom(...match.phrases), fc.integer({ min: 0 }), (phrase, seed) => {
            let state = seed;
            const pick = (of: number): number => {
              state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
              return state % of;
            };
            const text = write(phrase, pick);
            assert.ok(found(`قيل: ${text}، ثم`, id, tier), `${how}: ${phrase} → ${text}`);
          }),
          { numRuns: 12 },
        );
      }
    });
  }

  test(`${key}: its cases pass, and each rule is in one`, () => {
    const used = new Set<string>();
    for (const { name, text, tier, safe, rewritten } of shippedCases(key)) {
      const result = check(text, tier);
      assert.is(result.safe, safe, name);
      assert.is(result.rewritten, rewritten, name);
      for (const { ruleId } of result.violations) used.add(ruleId);
    }
    const unused = shippedRules(key)
      .map(({ id }) => id)
      .filter((id) => !used.has(id));
    assert.ok(unused.length <= 4, `no case for ${unused.join(', ')}`);
  });
}

/** Ordinary texts of schools and families: letters and words of rules within other words. */
const ordinary = [
  'قرأت فاطمة القصة بصوت واضح، ثم حكتها لإخوتها.',
  'نشجع الأطفال على المحاولة مرة بعد مرة.',
  'يتعلم الأطفال أصوات الحروف في الصف الأول.',
  'الحرف الأخير في الكلمة هو الراء.',
  'زارنا ضيف كريم، وشربنا العصير.',
  'أضعاف العدد في درس الحساب',
  'في شعار المدرسة كتاب مفتوح.',
  'نعيد ترتيب أحداث القصة بالصور.',
  'أكثر من مرة في الأسبوع، وأقل من عشر دقائق كل مرة.',
  'يلعب مع زملائه في ساحة المدرسة.',
  'الفهم السماعي أوسع من المرة السابقة.',
  'عشرة أيام من العطاء',
  'بدأت المدرسة خطة دعم قصيرة.',
  'اقرؤوا معًا على مهل، وتحدثوا عن الصور.',
  'تظهر مهارات كثيرة، وبعضها قيد المتابعة.',
  'كتب الولد رسالة إلى جده في المساء.',
  'ما معنى كلمة «غابة»؟',
  'نكتب الهمزة على الألف أو على السطر.',
] as const;

for (const tier of ['parent_stricter', 'parent'] as const) {
  test(`ordinary school texts pass ${tier}`, () => {
    const check = shippedCheck('family');
    for (const text of ordinary) assert.equal(check(text, tier).violations, [], text);
  });
}

test('ordinary school texts pass children and staff', () => {
  const [student, staff] = [shippedCheck('student'), shippedCheck('staff')];
  for (const text of ordinary) {
    assert.equal(student(text, 'student').violations, [], text);
    for (const tier of ['ui', 'reports', 'teacher_note', 'admin'] as const) {
      assert.equal(staff(text, tier).violations, [], text);
    }
  }
});

test.run();
