// Lines of a printed page in visual order (UAX #9, right-to-left paragraph), and as programs extract them.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { renderPdf } from '#core/platform/pdf/printer.ts';
import { arabic } from '#core/platform/pdf/text.ts';
import { inVisualOrder, readingRuns } from '#core/platform/pdf/visual-order.ts';
import { renderSheet } from '#identity/people/quick-codes/sheet.ts';
import { skipped } from '../../../harness/needs.ts';
import { canReadPages, needsReader, rawText } from './pdf-text.ts';

/** Returns the visual order: runs from left to right, Arabic ones reversed. */
const onPaper = (line: string) =>
  inVisualOrder(readingRuns(line), ({ rightToLeft }) => rightToLeft)
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

test('a date keeps its order, which the algorithm alone would reverse', () => {
  assert.is(onPaper('حتى 2026-02-14'), '2026-02-14 ىتح');
});

test('a per-cent sign stays after its number, before which the algorithm alone would place it', () => {
  assert.is(onPaper('بلغت 91.4%'), '91.4% تغلب');
});

test('bidi controls are removed', () => {
  assert.not.match(onPaper('محمد\u202Eevil'), '\u202E');
});

/** Whole paragraphs, some over several lines. */
const paragraphs: readonly string[] = [
  'اقرأ الكلمة ثم اختر الصورة المناسبة من بين 3 صور.',
  'موعد الحصة 2026-02-14 في الصف 2B مع المعلمة سارة (Sara Ali) صباحًا.',
  'السَّلَامُ عَلَيْكُمْ، يَا أَصْدِقَاءُ! هَلْ قَرَأْتُمُ القِصَّةَ؟',
  'الكلمات: لا، الأولاد، الإبل، الآن؛ ثم «شجرة» و[بيت].',
  'نِسْبَةُ ٣ مِنْ ٥، وَالصَّفْحَةُ 12 / 18.',
  'كَـــتَبَ الوَلَدُ الدَّرْسَ فِي الدَّفْتَرِ، ثُمَّ ذَهَبَ إِلَى الحَدِيقَةِ مَعَ أَخِيهِ الصَّغِيرِ لِيَلْعَبَ بِالكُرَةِ، وَعَادَ قَبْلَ الغُرُوبِ.',
];

const plain = (text: string) =>
  text
    .normalize('NFC')
    .replaceAll(/[\u200b-\u200f\u202a-\u202e\u2066-\u2069]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();

const printed = (text: string) =>
  renderPdf({
    ...{ title: 'x', madeAt: new Date('2026-01-15T08:00:00Z'), fontSize: 16 },
    content: [arabic(text), arabic(text, { bold: true })],
  });

if (!canReadPages) skipped('text of a printed paragraph', needsReader);
else {
  for (const text of paragraphs) {
    test(`extracted from a page: ${text}`, async () => {
      const read = rawText(await printed(text));
      assert.is(plain(read), `${plain(text)} ${plain(text)}`);
    });
  }
}

const sheet = {
  organizationName: 'مؤسسة',
  schoolName: 'مدرسة النور',
  address: 'https://example.org',
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
  assert.match(text, '/DisplayDocTitle true');
  assert.ok(first.length < 500_000);
});

test.run();
