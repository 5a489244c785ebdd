// Lines for the printed sheet, in the order in which the eye meets them (UAX #9, right-to-left paragraph).
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { renderSheet } from '../../../src/people/quick-codes/sheet.ts';
import { brokenLines, visualRuns } from '../../../src/platform/pdf/visual-order.ts';

/** As on paper: runs from left to right, Arabic ones written from their end. */
const onPaper = (line: string) =>
  visualRuns(line)
    .map(({ text, rightToLeft }) => (rightToLeft ? [...text].reverse().join('') : text))
    .join('');

/** Expected order: the bidi-js reference implementation. */
const cases: readonly (readonly [string, string])[] = [
  ['محمد علي', 'يلع دمحم'],
  ['الصف 1A', '1A فصلا'],
  ['سارة (Sara)', '(Sara) ةراس'],
  ['(سارة)', '(ةراس)'],
  ['محمد ٣', '٣ دمحم'],
  ['Adam محمد', 'دمحم Adam'],
  ['رموز: 12', '12 :زومر'],
  ['2B ٣', '٣ 2B'],
  ['Adam (Sara) محمد', 'دمحم Adam (Sara)'],
];

for (const [line, expected] of cases) {
  test(`${line}`, () => assert.is(onPaper(line), expected));
}

test('a date keeps its order, where the bare algorithm would turn it', () => {
  assert.is(onPaper('حتى 2026-02-14'), '2026-02-14 ىتح');
});

test('controls that turn text around are dropped', () => {
  assert.not.match(onPaper('محمد\u202Eevil'), '\u202E');
});

test('lines break between words, and a long word stands alone', () => {
  assert.equal(brokenLines('aa bb  cc dddddddd e', 5), ['aa bb', 'cc', 'dddddddd', 'e']);
  assert.equal(brokenLines('   ', 5), []);
});

const sheet = {
  className: 'الصف 1A',
  validUntil: '2026-02-14',
  madeAt: new Date('2026-01-15T08:00:00Z'),
  rows: Array.from({ length: 60 }, () => ({ fullNameAr: 'محمد بن عبد الله', quickCode: 'ABCD2345' })),
};

test('the same sheet gives the same bytes; Arabic, with its font inside, small', async () => {
  const [first, second] = [await renderSheet(sheet), await renderSheet(sheet)];
  assert.ok(first.equals(second));
  const text = first.toString('latin1');
  assert.match(text, '/Lang (ar)');
  assert.match(text, /\/FontFile2/);
  assert.ok(first.length < 500_000);
});

test.run();
