// Justified lines: only spaces are widened, letters are not stretched, and what belongs together stays together.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { arrangeLine, scripts } from '#core/platform/pdf/lines.ts';
import type { Line } from '#core/platform/pdf/pdfmake-parts.ts';
import { printParts } from '#core/platform/pdf/printing.ts';
import { arabic, joined } from '#core/platform/pdf/text.ts';
import { skipped } from '../../../harness/needs.ts';
import { canReadPages, needsReader, rawText } from './pdf-text.ts';

const text =
  'نَقْرَأُ مَعًا قِصَّةً قَصِيرَةً كُلَّ مَسَاءٍ، ثُمَّ نَسْأَلُ: مَاذَا حَدَثَ؟ وَلِمَاذَا؟ وَنُصْغِي إِلَى كُلِّ جَوَابٍ، وَفِي الصَّفِّ (2B) قَرَأَ 85% مِنَ الأَطْفَالِ حَتَّى الصَّفْحَةِ 12، ثُمَّ نُعِيدُ القِرَاءَةَ بِهُدُوءٍ حَتَّى تَنْسَابَ الكَلِمَاتُ فِي البَيْتِ وَفِي الطَّرِيقِ إِلَى المَدْرَسَةِ.';
const [left, right] = [60, 60];

interface Word {
  readonly text: string;
  readonly from: number;
  readonly to: number;
  readonly y: number;
}

/** Words as poppler reads them, letters from left to right: a word contains no space. */
async function wordsOf(content: object): Promise<Word[]> {
  const part = { margins: [left, 40, right, 40] as const, content: content as never };
  const bytes = await printParts({ title: 'x', madeAt: new Date('2026-01-15T08:00:00Z'), fontSize: 14, parts: [part] });
  const boxes = rawText(bytes, '-bbox');
  const word = /<word xMin="([\d.]+)" yMin="([\d.]+)" xMax="([\d.]+)" yMax="[\d.]+">([^<]*)<\/word>/g;
  return [...boxes.matchAll(word)].map(([, from, y, to, found = '']) => ({
    ...{
      text: found.replaceAll(/[\u200b-\u200f\u202a-\u202e]/g, ''),
      from: Number(from),
      to: Number(to),
      y: Math.round(Number(y)),
    },
  }));
}

/** Words of each line, from the top; marks above a word move its box by less than a line. */
function linesOf(words: readonly Word[]): Word[][] {
  const lines: Word[][] = [];
  for (const word of words.toSorted((one, other) => one.y - other.y)) {
    const line = lines.at(-1);
    if (line && word.y - (line[0]?.y ?? 0) < lineHeight / 2) line.push(word);
    else lines.push([word]);
  }
  return lines;
}
const lineHeight = 22;

const endsOf = (line: readonly Word[]) => [
  Math.round(Math.min(...line.map(({ from }) => from))),
  Math.round(Math.max(...line.map(({ to }) => to))),
];
/** Poppler gives each character of a word the same share of its width, and the bidi mark at its end too. */
const isNear = (one: number | undefined, other: number) => Math.abs((one ?? 0) - other) <= 6;
const pageWidth = 595;

function define(): void {
  test('all lines but the last reach both edges; the last one is aligned right', async () => {
    const lines = linesOf(await wordsOf(arabic(text, { alignment: 'justify' })));
    assert.ok(lines.length >= 3, `${lines.length} lines`);
    for (const line of lines.slice(0, -1)) {
      const [from, to] = endsOf(line);
      assert.ok(isNear(from, left) && isNear(to, pageWidth - right), `${from} to ${to}`);
    }
    const [from, to] = endsOf(lines.at(-1) ?? []);
    assert.ok(isNear(to, pageWidth - right) && (from ?? 0) > left + 20, `${from} to ${to}`);
  });

  test('words are as wide as in a ragged paragraph, and a number keeps its sign and its brackets', async () => {
    const [full, ragged] = [await wordsOf(arabic(text, { alignment: 'justify' })), await wordsOf(arabic(text))];
    const widths = (words: readonly Word[]) =>
      words.map(({ text: of, from, to }) => [of, Math.round((to - from) * 10)]);
    assert.equal(widths(full), widths(ragged));
  });

  test('a line whose spaces would be too wide stays ragged', async () => {
    const narrow = {
      columns: [
        { width: '*', text: '' },
        { width: 130, stack: [arabic('كلمة والاستقلاليات المستقبليات نعم', { alignment: 'justify' })] },
      ],
    };
    const lines = linesOf(await wordsOf(narrow));
    assert.ok(
      lines.some((line) => (endsOf(line)[0] ?? 0) > pageWidth - right - 100),
      JSON.stringify(lines),
    );
  });

  test('bold parts are extracted with the rest of their sentence', async () => {
    const words = await wordsOf(
      joined([{ text: 'حكاية المساء: ', bold: true }, { text: 'نحكي قصة قصيرة.' }], { alignment: 'justify' }),
    );
    assert.equal(
      words.map(({ text: of }) => [...of].reverse().join('')).sort(),
      ['حكاية', 'المساء:', 'نحكي', 'قصة', 'قصيرة.'].sort(),
    );
  });
}

const letter = { widthOfString: (of: string) => of.length * 10 };

/** A line of pdfmake whose letters are ten points wide. */
function lineOf(words: readonly string[], maxWidth: number, more: Partial<Line> = {}): Line {
  const inlines = words.map((of) => ({
    text: of,
    x: 0,
    width: of.length * 10,
    fontSize: 10,
    alignment: 'justify',
    fontFeatures: /[0-9%]/.test(of) ? scripts.leftToRight : scripts.rightToLeft,
    font: letter,
  }));
  return { maxWidth, inlines, inlineWidths: 0, leadingCut: 0, trailingCut: 0, ...more };
}

test('a full line is exactly as wide as its column: equal spaces, nothing else wider, and no gap without a space', () => {
  const line = lineOf(['قرأ ', '85%', ' من ', 'الكتاب '], 185);
  arrangeLine(line);
  assert.equal(
    line.inlines.map(({ text: of, x, width, alignment }) => [of, x, width, alignment]),
    [
      ['الكتاب', 0, 60, 'right'],
      [' ', 60, 15, 'right'],
      ['من', 75, 20, 'right'],
      [' ', 95, 15, 'right'],
      ['85%', 110, 30, 'right'],
      [' ', 140, 15, 'right'],
      ['قرأ', 155, 30, 'right'],
    ],
  );
  for (const kept of [
    lineOf(['قرأ ', 'من '], 100, { lastLineInParagraph: true }),
    lineOf(['قرأ ', 'من '], 100, { newLineForced: true }),
    lineOf(['قرأ ', 'من '], 100),
  ]) {
    arrangeLine(kept);
    assert.equal(
      [kept.inlineWidths, kept.inlines[0]?.alignment],
      [60, 'right'],
      'the last, one that was ended, one that would be torn',
    );
  }
});

if (!canReadPages) skipped('justified paragraphs', needsReader);
else define();

test.run();
