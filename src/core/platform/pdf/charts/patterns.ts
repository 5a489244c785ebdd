// Areas that are distinguishable without colour, by lightness and hatching, also on copied paper.
import type { CanvasElement } from 'pdfmake/interfaces.js';

/** Coordinates in points from the top left. */
export interface Area {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

type Hatch = (area: Area) => readonly Stroke[];
type Stroke = readonly [x1: number, y1: number, x2: number, y2: number];

interface Look {
  readonly grey: string;
  readonly hatch: Hatch;
}

/** The distance of two lines of a hatching, in points. */
const gap = 4;
const lineWidth = 0.6;
const black = '#000000';

const linePositions = (from: number, length: number): number[] =>
  Array.from({ length: Math.max(0, Math.ceil(length / gap) - 1) }, (_, at) => from + (at + 1) * gap);

const none: Hatch = () => [];
const upright: Hatch = ({ x, y, w, h }) => linePositions(x, w).map((at) => [at, y, at, y + h]);
const level: Hatch = ({ x, y, w, h }) => linePositions(y, h).map((at) => [x, at, x + w, at]);

/** Each line begins at the top or the right side, and ends at the bottom or the left side. */
const rising: Hatch = ({ x, y, w, h }) =>
  linePositions(x, w + h).map((at) => [
    Math.min(at, x + w),
    y + Math.max(0, at - x - w),
    Math.max(at - h, x),
    y + Math.min(h, at - x),
  ]);

const falling: Hatch = (area) =>
  rising(area).map(([x1, y1, x2, y2]) => [2 * area.x + area.w - x1, y1, 2 * area.x + area.w - x2, y2]);

const looks = {
  dark: { grey: '#4d4d4d', hatch: none },
  middle: { grey: '#b3b3b3', hatch: none },
  rising: { grey: '#f2f2f2', hatch: rising },
  crossed: { grey: '#ffffff', hatch: (area) => [...rising(area), ...falling(area)] },
  blank: { grey: '#ffffff', hatch: none },
  upright: { grey: '#ffffff', hatch: upright },
  level: { grey: '#e0e0e0', hatch: level },
  grid: { grey: '#ffffff', hatch: (area) => [...upright(area), ...level(area)] },
} as const satisfies Readonly<Record<string, Look>>;

export type FillPattern = keyof typeof looks;

export function patterned(area: Area, pattern: FillPattern): CanvasElement[] {
  const { grey, hatch } = looks[pattern];
  return [
    { type: 'rect', ...area, color: grey, lineWidth: 0, lineColor: grey },
    ...hatch(area).map(([x1, y1, x2, y2]): CanvasElement => {
      return { type: 'line', x1, y1, x2, y2, lineWidth, lineColor: black };
    }),
    { type: 'rect', ...area, lineWidth, lineColor: black },
  ];
}
