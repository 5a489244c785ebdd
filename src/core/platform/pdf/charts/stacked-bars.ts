// Stacked bars from right to left, each part with its number below it, and the legend of the patterns.
import type { Content } from 'pdfmake/interfaces.js';
import { arabic, latin } from '../text.ts';
import { type FillPattern, patterned } from './patterns.ts';

export interface BarPart {
  readonly value: number;
  readonly pattern: FillPattern;
  /** The label instead of the number. */
  readonly words?: string;
}

export interface Bar {
  readonly label: string;
  /** The parts from the right; without any value the bar is an empty frame. */
  readonly parts: readonly BarPart[];
}

interface Size {
  /** The width of label and bar together, in points. */
  readonly width: number;
  readonly labelWidth: number;
}

const barHeight = 14;
const fontSize = 10;
const digitWidth = 6;
const letterWidth = 5.5;

/** A bar stays on one page with its numbers and its label. */
export const stackedBars = (bars: readonly Bar[], { width, labelWidth }: Size): Content => ({
  stack: bars.map(
    ({ label, parts }): Content => ({
      unbreakable: true,
      stack: [
        {
          columns: [
            { width: width - labelWidth, stack: barOf(parts, width - labelWidth) },
            { width: labelWidth, stack: [arabic(label, { fontSize })] },
          ],
          columnGap: 0,
        },
      ],
      margin: [0, 2, 0, 2],
    }),
  ),
});

interface Placed extends BarPart {
  readonly x: number;
  readonly w: number;
}

function barOf(parts: readonly BarPart[], width: number): Content[] {
  const placed = placedFrom(parts, width);
  if (placed.length === 0) return [{ canvas: patterned({ x: 0, y: 0, w: width, h: barHeight }, 'blank') }];
  return [
    { canvas: placed.flatMap(({ x, w, pattern }) => patterned({ x, y: 0, w, h: barHeight }, pattern)) },
    { columns: numbersOf(placed), columnGap: 0 },
  ];
}

/** Returns the parts with their positions, the first one at the right. */
function placedFrom(parts: readonly BarPart[], width: number): Placed[] {
  const shown = parts.filter(({ value }) => value > 0);
  const total = shown.reduce((sum, { value }) => sum + value, 0);
  let right = width;
  return shown.map((part) => {
    const w = (part.value / total) * width;
    right -= w;
    return { ...part, x: right, w };
  });
}

/** Returns the numbers from left to right, each below its part, or as near to it as the others allow. */
const numbersOf = (placed: readonly Placed[]) => {
  const widths = labelWidths(placed.toReversed());
  return placed.toReversed().map(({ value, words }, at) => {
    const style = { fontSize, alignment: 'center' } as const;
    const label = words === undefined ? latin(String(value), style) : arabic(words, style);
    return { width: widths[at] ?? 0, stack: [label] };
  });
};

const neededBy = ({ value, words }: BarPart): number =>
  2 + (words === undefined ? String(value).length * digitWidth : words.length * letterWidth);

/**
 * Returns the widths of the labels. A part that is narrower than its number takes space from wider ones, each of which gives
 * the same share of its spare width.
 */
function labelWidths(placed: readonly Placed[]): number[] {
  const missing = placed.reduce((sum, part) => sum + Math.max(0, neededBy(part) - part.w), 0);
  const spare = placed.reduce((sum, part) => sum + Math.max(0, part.w - neededBy(part)), 0);
  const share = spare === 0 ? 0 : Math.min(1, missing / spare);
  return placed.map((part) => Math.max(neededBy(part), part.w) - Math.max(0, part.w - neededBy(part)) * share);
}

export interface KeyEntry {
  readonly pattern: FillPattern;
  readonly words: string;
}

const swatch = { w: 22, h: 10 };

/** The legend of a chart, in the order of its parts. */
export const legendOf = (entries: readonly KeyEntry[], width: number, perLine = 4): Content => ({
  stack: linesOf(entries, perLine).map((line): Content => {
    const cell = width / perLine;
    const filled = [...line, ...Array.from({ length: perLine - line.length }, () => undefined)];
    return {
      columns: filled.toReversed().flatMap((entry) => entryOf(entry, cell)),
      columnGap: 0,
      margin: [0, 2, 0, 2],
    };
  }),
  margin: [0, 0, 0, 6],
});

const entryOf = (entry: KeyEntry | undefined, cell: number) =>
  entry === undefined
    ? [{ width: cell, stack: [{ text: '' }] }]
    : [
        { width: cell - swatch.w - 6, stack: [arabic(entry.words, { fontSize })] },
        { width: 6, stack: [{ text: '' }] },
        { width: swatch.w, stack: [swatchOf(entry.pattern)] },
      ];

export const swatchOf = (pattern: FillPattern): Content => ({
  canvas: patterned({ x: 0, y: 0, ...swatch }, pattern),
  margin: [0, 4, 0, 0],
});

const linesOf = (entries: readonly KeyEntry[], perLine: number): KeyEntry[][] =>
  Array.from({ length: Math.ceil(entries.length / perLine) }, (_, at) =>
    entries.slice(at * perLine, (at + 1) * perLine),
  );
