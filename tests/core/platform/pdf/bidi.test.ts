// Numbers, signs and neighbouring left-to-right runs: their visual order by tables made by hand from UAX #9, and as pdftotext
// extracts them.
import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { renderPdf } from '#core/platform/pdf/printer.ts';
import { arabic } from '#core/platform/pdf/text.ts';
import { inVisualOrder, readingRuns } from '#core/platform/pdf/visual-order.ts';
import { letterText, readsPages } from './pdf-text.ts';

/** Returns the visual order: runs from left to right, Arabic ones reversed. */
const onPaper = (line: string) =>
  inVisualOrder(readingRuns(line), ({ rightToLeft }) => rightToLeft)
    .map(({ text, rightToLeft }) => (rightToLeft ? [...text].reverse().join('') : text))
    .join('');

/** Characters of level 2 keep their order, others are reversed. Each case names its rule. */
const cases: readonly (readonly [rule: string, line: string, expected: string])[] = [
  ['AN: U+066B, U+066C', 'س ١٬٢٣٤٫٥', '١٬٢٣٤٫٥ س'],
  ['W4, CS between AN: U+060C', 'س ٣،٤', '٣،٤ س'],
  ['CS between numbers only: a comma before a blank is neutral', 'س ٣، ٤', '٤ ،٣ س'],
  ['W4, CS: U+00A0', 'س 12\u00a0345', '12\u00a0345 س'],
  ['W4, CS: U+202F', 'س 12\u202f345', '12\u202f345 س'],
  ['W4, ES: +', 'س 6+9', '6+9 س'],
  ['W4, ES: U+2212', 'س 6\u22129', '6\u22129 س'],
  ['kept: a sign before a number', 'س +3 \u22124', '\u22124 +3 س'],
  ['N1: numbers count as right to left, so blanks between them are of the paragraph', 'س 06 12 34', '34 12 06 س'],
  ['W7: a number after Latin is Latin', 'س AB 12', 'AB 12 س'],
  ['N0: no Latin before the bracket', 'س (42 AB)', '(AB 42) س'],
  ['N0: Latin before it and inside it', 'A (B) س', 'س A (B)'],
  ['isolates are gone, not blanks', 'س \u206685%\u2069 ص', 'ص 85% س'],
];

for (const [rule, line, expected] of cases) test(rule, () => assert.is(onPaper(line), expected));

const word = fc.constantFrom(
  ...['محمد', 'مدرسة', 'النور', 'WCPM', 'Sara', 'B', '42', '06', '12', '٣', '١٬٢٣٤٫٥', '3.5', '2026/1/18', '85%'],
  ...['+3', '\u22124', '6-9', '6+9', '12\u00a0345', '12\u202f345', '٣،٤', '(42 WCPM)', '(أ)', '(Sara)', '10:30', '1A'],
);
const plain = (text: string) => text.normalize('NFC').replaceAll(/\s+/g, ' ').trim();

readsPages(test)('whatever stands side by side is read back in its order', async () => {
  // A page of mostly Latin letters would be read from left to right.
  const line = fc.array(word, { minLength: 1, maxLength: 5 }).map((words) => `كلمة ${words.join(' ')} أخيرة`);
  const lines = fc.sample(line, { seed: 20_261_128, numRuns: 300 });
  const bytes = await renderPdf({
    ...{ title: 'x', madeAt: new Date('2026-01-15T08:00:00Z'), fontSize: 11 },
    content: lines.map((one) => arabic(one)),
  });
  const read = letterText(bytes)
    .split(/[\n\f]/)
    .map(plain)
    .filter((one) => one !== '');
  assert.equal(read, lines.map(plain));
});

test.run();
