// Dated values from right to left, as dates are read in Arabic, with a dashed line of aims. Nothing depends on colour: values
// are told apart by their marks, the lines by their dashes.
import type { CanvasElement, Content } from 'pdfmake/interfaces.js';
import { daysAfter, daysBetween } from '../../pure/dates/days.ts';
import { ruled } from '../layouts.ts';
import { latin } from '../text.ts';

/** `joined` values have a line through them. */
export type ChartMark = 'joined' | 'hollow' | 'crossed';

export interface ChartPoint {
  /** `YYYY-MM-DD` */
  readonly date: string;
  readonly value: number;
}

export interface MarkedPoint extends ChartPoint {
  readonly mark: ChartMark;
}

export interface TimeChart {
  /** In order of date. */
  readonly points: readonly MarkedPoint[];
  /** From its first to its last point; null without one. */
  readonly aim: { readonly from: ChartPoint; readonly to: ChartPoint } | null;
  /** In points, labels included. */
  readonly width: number;
  readonly height: number;
  readonly dateLabel: (date: string) => string;
}

interface Plot {
  readonly x: (date: string) => number;
  readonly y: (value: number) => number;
}

const fontSize = 8;
const labels = { width: 34, height: 12.5, dateWidth: 56 } as const;
/** Dates on the axis, the first and the last included. */
const mostDates = 5;
const steps = [1, 2, 5, 10, 20, 25, 50, 100];
const mostSteps = 5;
const ink = { axis: '#000000', grid: '#bfbfbf', line: '#1f3864' } as const;

/** Throws RangeError without a point. */
export function timeChart({ points, aim, width, height, dateLabel }: TimeChart): Content {
  const all = [...points, ...(aim ? [aim.from, aim.to] : [])];
  const dates = all.map(({ date }) => date).sort();
  const [first, last] = [dates[0], dates.at(-1)];
  if (first === undefined || last === undefined) throw new RangeError('a chart has points');
  const values = scaleOf(Math.max(...all.map(({ value }) => value)));
  const plotWidth = width - labels.width;
  const plot = plotOf(first, last, values.at(-1) ?? 1, { width: plotWidth, height });
  const shown = datesBetween(first, last);
  const canvas = [...gridOf(plot, values, shown, plotWidth), ...drawn(points, aim, plot)];
  return {
    unbreakable: true,
    stack: [
      {
        columns: [
          { width: plotWidth, stack: [{ canvas, alignment: 'left' }] },
          { width: labels.width, stack: [valueLabels(values, plot)] },
        ],
        columnGap: 0,
      },
      dateLabels(shown, plot, dateLabel),
    ],
  };
}

/** Beside the lines of the grid, the greatest first. */
function valueLabels(values: readonly number[], { y }: Plot): Content {
  const gap = y(values[0] ?? 0) - y(values[1] ?? 0);
  const body = values.toReversed().map((value) => [latin(String(value), { fontSize, alignment: 'left' })]);
  return {
    table: { widths: ['*'], heights: [...body.slice(1).map(() => gap), 'auto'], body },
    layout: ruled({ hLineWidth: 0, vLineWidth: 0, paddingTop: 0, paddingBottom: 0, paddingLeft: 6, paddingRight: 0 }),
    margin: [0, y(values.at(-1) ?? 0) - labels.height / 2, 0, 0],
  };
}

/** Below the axis, each centred on its date; the last date comes first, from the left. */
function dateLabels(dates: readonly string[], { x }: Plot, dateLabel: TimeChart['dateLabel']): Content {
  let right = 0;
  const columns = dates.toReversed().flatMap((date) => {
    const left = x(date) - labels.dateWidth / 2;
    const gap = left - right;
    right = left + labels.dateWidth;
    const label = latin(dateLabel(date), { fontSize, alignment: 'center' });
    return [
      { width: Math.max(0, gap), stack: [{ text: '' }] },
      { width: labels.dateWidth, stack: [label] },
    ];
  });
  return { columns, columnGap: 0, margin: [0, 1, 0, 4] };
}

/** Numbers from zero to above the greatest, in round steps. */
function scaleOf(greatest: number): number[] {
  const step = steps.find((one) => greatest / one <= mostSteps) ?? Math.ceil(greatest / mostSteps);
  const count = Math.max(1, Math.ceil(greatest / step));
  return Array.from({ length: count + 1 }, (_, at) => at * step);
}

/** The first date is at the right; dates of one day are in the middle. */
function plotOf(
  first: string,
  last: string,
  top: number,
  size: { readonly width: number; readonly height: number },
): Plot {
  const inset = labels.dateWidth / 2;
  const days = daysBetween(first, last);
  const span = size.width - 2 * inset;
  return {
    x: (date) => (days === 0 ? size.width / 2 : size.width - inset - (daysBetween(first, date) / days) * span),
    y: (value) => size.height - (value / top) * (size.height - 6),
  };
}

function datesBetween(first: string, last: string): string[] {
  const days = daysBetween(first, last);
  const count = Math.min(mostDates - 1, days);
  if (count === 0) return [first];
  return Array.from({ length: count + 1 }, (_, at) => daysAfter(first, Math.round((at * days) / count)));
}

function gridOf({ x, y }: Plot, values: readonly number[], dates: readonly string[], width: number): CanvasElement[] {
  const bottom = y(0);
  return [
    ...values.map((value) => lineOf([0, y(value), width, y(value)], value === 0 ? ink.axis : ink.grid, 0.5)),
    ...dates.map((date) => lineOf([x(date), bottom, x(date), bottom + 3], ink.axis, 0.5)),
    lineOf([width, y(values.at(-1) ?? 0), width, bottom], ink.axis, 0.5),
  ];
}

const lineOf = (
  [x1, y1, x2, y2]: readonly [number, number, number, number],
  lineColor: string,
  lineWidth: number,
): CanvasElement => ({ type: 'line', x1, y1, x2, y2, lineWidth, lineColor });

function drawn(points: readonly MarkedPoint[], aim: TimeChart['aim'], { x, y }: Plot): CanvasElement[] {
  const at = ({ date, value }: ChartPoint) => ({ x: x(date), y: y(value) });
  const joined = points.filter(({ mark }) => mark === 'joined').map(at);
  return [
    ...(aim ? aimMarks(at(aim.from), at(aim.to)) : []),
    ...(joined.length > 1
      ? [{ type: 'polyline', points: joined, lineWidth: 1.4, lineColor: ink.line } satisfies CanvasElement]
      : []),
    ...points.flatMap((point) => markAt(point.mark, at(point))),
  ];
}

interface Place {
  readonly x: number;
  readonly y: number;
}

/** The line of aims, with a diamond at its end. */
const aimMarks = (from: Place, to: Place): CanvasElement[] => [
  {
    ...{ type: 'line', x1: from.x, y1: from.y, x2: to.x, y2: to.y, lineWidth: 1.1, lineColor: ink.axis },
    dash: { length: 5, space: 3 },
  },
  ...diamondAt(to),
];

const diamondAt = ({ x, y }: Place): CanvasElement[] => [
  {
    ...{ type: 'polyline', closePath: true, color: '#ffffff', lineWidth: 1.1, lineColor: ink.axis },
    points: [
      { x, y: y - 5 },
      { x: x + 5, y },
      { x, y: y + 5 },
      { x: x - 5, y },
    ],
  },
];

function markAt(mark: ChartMark, { x, y }: Place): CanvasElement[] {
  if (mark === 'crossed') {
    return [lineOf([x - 3, y - 3, x + 3, y + 3], ink.axis, 1), lineOf([x - 3, y + 3, x + 3, y - 3], ink.axis, 1)];
  }
  const color = mark === 'joined' ? ink.line : '#ffffff';
  return [{ type: 'ellipse', x, y, r1: 3, r2: 3, color, lineWidth: 1.1, lineColor: ink.line }];
}

/** The sign of a kind of value, for a legend. */
export const markSign = (mark: ChartMark | 'aim'): Content => ({
  canvas: mark === 'aim' ? aimMarks({ x: 26, y: 6 }, { x: 6, y: 6 }) : signOf(mark),
  margin: [0, 3, 0, 0],
});

const signOf = (mark: ChartMark): CanvasElement[] => [
  ...(mark === 'joined' ? [lineOf([4, 6, 28, 6], ink.line, 1.4)] : []),
  ...markAt(mark, { x: 16, y: 6 }),
];
