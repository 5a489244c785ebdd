// Folding, words, patterns and positions of the contract, one by one; and the time limit for every text.
import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { matcherOf } from '#rules/language/engine/matcher.ts';
import { compilePattern } from '#rules/language/engine/patterns/pattern-finder.ts';
import { search } from '#rules/language/engine/patterns/search.ts';
import { PatternError } from '#rules/language/engine/patterns/syntax.ts';
import { blocking, setKeys, shippedCheck, shippedRules } from '../sets.ts';

const matches = (text: string, ...rules: Parameters<typeof blocking>[]): string[] =>
  matcherOf(
    rules.map((parts) => blocking(...parts)),
    'parent',
  )(text).violations.map(({ start, end }) => text.slice(start, end));
const phrases = (...list: string[]) => ({ phrases: list });

test('clitics before, endings after, and the match is the whole word', () => {
  const rule: Parameters<typeof blocking> = ['A', phrases('ضعيف')];
  for (const word of [
    'والضعيف',
    'وبالضعيفين',
    'كضعيف',
    'للضعيفات',
    'فلضعيفتهم',
    'ضَعِيفٌ',
    'ضعيفا',
    'ضعيفتان',
    'ضعيفها',
  ]) {
    assert.equal(matches(`هذا ${word} هنا`, rule), [word]);
  }
  for (const word of ['ضعيفكموها', 'مضعيف', 'سضعيف', 'ضعي']) assert.equal(matches(word, rule), []);
});

test('a phrase that ends in ة also ends in ت with a pronoun, or in ات', () => {
  const rule: Parameters<typeof blocking> = ['A', phrases('إعاقة')];
  for (const word of ['إعاقة', 'اعاقه', 'إعاقته', 'بإعاقتها', 'الإعاقات']) assert.equal(matches(word, rule), [word]);
  assert.equal(matches('إعاقون', rule), []);
});

test('of several words only the first takes a prefix and only the last an ending', () => {
  const rule: Parameters<typeof blocking> = ['A', phrases('عسر القراءة')];
  assert.equal(matches('وبعسر القراءة', rule), ['وبعسر القراءة']);
  assert.equal(matches('عسر، القراءة', rule), ['عسر، القراءة']);
  assert.equal(matches('عسره القراءة', rule), []);
  assert.equal(matches('عسر والقراءة', rule), []);
});

test('exact rules compare vowel marks, in any order of typing', () => {
  const rule: Parameters<typeof blocking> = ['A', phrases('مُدَرِّسٌ'), { exact: true }];
  assert.equal(matches('مُدَرِّسٌ', rule), ['مُدَرِّسٌ']);
  assert.equal(matches('مُدَر\u0650\u0651سٌ', rule).length, matches('مُدَر\u0651\u0650سٌ', rule).length);
  assert.equal(matches('مدرس', rule), []);
  assert.equal(matches('مُدَرَّسٌ', rule), []);
});

test('positions count UTF-16 units of the original, with the marks that follow', () => {
  const text = '🌟 ضَعِيفٌـ.';
  const [found] = matcherOf([blocking('A', phrases('ضعيف'))], 'parent')(text).violations;
  assert.equal([found?.start, found?.end], [3, text.length - 1]);
  const entity = 'x &#1590;عيف y';
  const [hidden] = matcherOf([blocking('A', phrases('ضعيف'))], 'parent')(entity).violations;
  assert.is(entity.slice(hidden?.start, hidden?.end), '&#1590;عيف');
});

test('violations by start, the longer first, then by rule', () => {
  const rules = [blocking('B', phrases('عسر')), blocking('A', phrases('عسر')), blocking('C', phrases('عسر القراءة'))];
  const checked = matcherOf(rules, 'parent')('عسر القراءة');
  assert.equal(
    checked.violations.map(({ ruleId }) => ruleId),
    ['C', 'A', 'B'],
  );
});

test('rewrites replace each match; with one block nothing is rewritten', () => {
  const rewrite = blocking('R', phrases('ضعيف', 'ضعيف جدا'), { action: 'rewrite', replacementAr: 'بحاجة إلى دعم' });
  const check = matcherOf([rewrite, blocking('B', phrases('غبي'))], 'parent');
  assert.is(check('هو ضعيف جدًّا، وهي ضعيفة.').rewritten, 'هو بحاجة إلى دعم، وهي بحاجة إلى دعم.');
  assert.is(check('ضعيف وغبي').rewritten, null);
  assert.is(check('كتاب').rewritten, null);
});

test('rules for parents apply to their stricter tier; no others do', () => {
  const rules = [blocking('P', phrases('ضعيف')), blocking('S', phrases('رقم'), { tiers: ['parent_stricter'] })];
  assert.is(matcherOf(rules, 'parent_stricter')('ضعيف').safe, false);
  assert.is(matcherOf(rules, 'parent')('رقم').safe, true);
});

for (const [pattern, why] of [
  ['(?=a)b', 'looks around'],
  ['(?<!a)b', 'looks around'],
  ['(a)\\1', 'refers back'],
  ['(a+)+', 'repeats a group'],
  ['((ab)?c){2}', 'repeats a group'],
  ['a'.repeat(201), 'longer'],
  ['(', 'regular expression'],
  ['a*', 'without words'],
  ['[a-z]{90}[a-z]{90}[a-z]{90}', 'too much'],
] as const) {
  test(`no rule may have the pattern ${pattern.slice(0, 20)}`, () => {
    assert.throws(
      () => compilePattern(pattern, false),
      (error: Error) => error instanceof PatternError && error.message.includes(why),
    );
  });
}

/** Without borders and with small letters only, so that the built-in RegExp gives the expected result. */
const piece = fc.constantFrom('a', 'b', '[ab]', '[^a]', '.', 'ab', '(a|bc)', '(?:b|)', 'c');
const counted = fc.tuple(piece, fc.constantFrom('', '*', '+', '?', '{2}', '{1,3}')).map(([one, often]) => one + often);
const patterns = fc.array(counted, { minLength: 1, maxLength: 5 }).map((parts) => parts.join(''));

test('a pattern matches where the built-in RegExp does', () => {
  fc.assert(
    fc.property(patterns, fc.stringMatching(/^[abc]{0,12}$/), (pattern, text) => {
      let program: ReturnType<typeof compilePattern>;
      try {
        program = compilePattern(pattern, false);
      } catch (error) {
        if (error instanceof PatternError) return;
        throw error;
      }
      const found = search(program, [...text]);
      assert.is(found.length > 0, new RegExp(pattern, 'u').test(text), `${pattern} in ${text}`);
      for (const { from, to } of found) {
        assert.ok(new RegExp(`^(?:${pattern})$`, 'u').test(text.slice(from, to)), `${pattern} in ${text} at ${from}`);
        for (let longer = to + 1; longer <= text.length; longer += 1) {
          assert.not(
            new RegExp(`^(?:${pattern})$`, 'u').test(text.slice(from, longer)),
            `${pattern} in ${text}: longer`,
          );
        }
      }
    }),
    { numRuns: 2_000 },
  );
});

test('a match that overlaps an earlier one hides no later one', () => {
  const placesOf = (pattern: string, text: string) =>
    search(compilePattern(pattern, false), [...text]).map(({ from, to }) => text.slice(from, to));
  assert.equal(placesOf('a?.(a|bc)*', 'aacabc'), ['aa', 'cabc']);
  assert.equal(placesOf('ab|bc+', 'abccabcbc'), ['ab', 'ab', 'bc']);
});

test('borders of words are Arabic too', () => {
  assert.equal(matches('قلم أقلام', ['A', { pattern: '\\bقلم\\b' }]), ['قلم']);
  assert.equal(matches('أقلام', ['A', { pattern: 'قلا' }]), ['أقلام']);
});

const worst: Readonly<Record<string, string>> = {
  'one letter': 'ا'.repeat(2_000),
  'single letters': 'ض '.repeat(1_000),
  'heads alone': 'وبال'.repeat(500),
  'marks alone': '\u064e'.repeat(2_000),
  'overrides alone': '\u202d'.repeat(2_000),
  'overrides and words': '\u202dفيعض\u202c '.repeat(285),
  'ligatures of eighteen letters': '\ufdfa'.repeat(2_000),
  'half entities': '&#'.repeat(1_000),
  entities: '&#x636;'.repeat(285),
  digits: '١'.repeat(2_000),
  codes: 'a_'.repeat(1_000),
  'the beginning of a phrase': 'عسر '.repeat(500),
  'digits of mathematics': '𝟙'.repeat(2_000),
  'letters of many scripts': 'aбγ字ا'.repeat(400),
};

for (const [what, text] of Object.entries(worst)) {
  test(`2,000 characters of the worst take less than 100 ms of the processor: ${what}`, () => {
    const run = () => {
      for (const key of setKeys)
        for (const tier of new Set(shippedRules(key).flatMap((rule) => rule.tiers))) checks[key](text, tier);
    };
    run();
    const before = process.cpuUsage();
    run();
    const { user } = process.cpuUsage(before);
    // Seven tiers, each of them allowed a tenth of a second.
    assert.ok(user / 1_000 < 7 * 100, `${user / 1_000} ms`);
  });
}
const checks = Object.fromEntries(setKeys.map((key) => [key, shippedCheck(key)])) as Record<
  (typeof setKeys)[number],
  ReturnType<typeof shippedCheck>
>;

test('any text gets an answer, with positions in order and inside it', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
      const { safe, violations } = checks.family(text, 'parent_stricter');
      assert.is(safe, violations.length === 0);
      for (const { start, end } of violations) assert.ok(start >= 0 && start < end && end <= text.length);
    }),
    { numRuns: 500 },
  );
});

test.run();
