// The chart of dated values: the oldest at the right, the aims dashed, every coordinate within its area.
import type { CanvasElement } from 'pdfmake/interfaces.js';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { type MarkedPoint, type TimeChart, timeChart } from '#core/platform/pdf/charts/time-chart.ts';

const size = { width: 500, height: 150, dateLabel: (date: string) => date };
const point = (date: string, value: number, mark: MarkedPoint['mark'] = 'joined'): MarkedPoint => ({
  date,
  value,
  mark,
});

interface Drawn {
  readonly elements: readonly (CanvasElement & Record<string, number>)[];
  readonly text: readonly string[];
}

function drawn(chart: Pick<TimeChart, 'points' | 'aim'>): Drawn {
  const [elements, text]: [Drawn['elements'][number][], string[]] = [[], []];
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    for (const [name, value] of Object.entries(node)) {
      if (name === 'canvas') elements.push(...(value as Drawn['elements']));
      else if (name === 'text' && typeof value === 'string' && value !== '') text.push(value);
      else visit(value);
    }
  };
  visit(timeChart({ ...size, ...chart }));
  return { elements, text };
}

const ellipses = ({ elements }: Drawn) => elements.filter(({ type }) => type === 'ellipse');
const dashed = ({ elements }: Drawn) => elements.filter((one) => 'dash' in one);

test('later dates are further to the left, greater values higher', () => {
  const found = ellipses(
    drawn({ points: [point('2026-01-04', 10), point('2026-01-11', 30), point('2026-02-01', 20)], aim: null }),
  );
  const [first, second, third] = found.map(({ x, y }) => ({ x: x ?? 0, y: y ?? 0 }));
  if (!first || !second || !third) throw new Error('three points are drawn');
  assert.ok(first.x > second.x && second.x > third.x);
  assert.ok(second.y < third.y && third.y < first.y);
  // Seven days of twenty-eight.
  assert.ok(Math.abs((first.x - second.x) / (first.x - third.x) - 0.25) < 1e-9);
});

test('only joined values are on the line; one of them alone has none', () => {
  const lines = (points: readonly MarkedPoint[]) =>
    drawn({ points, aim: null }).elements.filter(({ type }) => type === 'polyline') as unknown as {
      points: unknown[];
    }[];
  const mixed = [point('2026-01-04', 10, 'hollow'), point('2026-01-11', 30), point('2026-01-18', 9, 'crossed')];
  assert.equal(lines(mixed), []);
  assert.is(lines([...mixed, point('2026-02-01', 20)])[0]?.points.length, 2);
});

test('the line of aims is dashed, from its first to its last point, and the dates reach as far', () => {
  const aim = { from: { date: '2026-01-04', value: 10 }, to: { date: '2026-05-31', value: 60 } };
  const found = drawn({ points: [point('2026-01-04', 10)], aim });
  const [line] = dashed(found);
  assert.ok((line?.x1 ?? 0) > (line?.x2 ?? 0) && (line?.y1 ?? 0) > (line?.y2 ?? 0));
  assert.is(dashed(drawn({ points: [point('2026-01-04', 10)], aim: null })).length, 0);
  for (const label of ['2026-01-04', '2026-05-31', '0', '20', '60']) assert.ok(found.text.includes(label), label);
  assert.not.ok(found.text.includes('80'));
});

test('every coordinate is a number within the area, also for one day, for zero and for great values', () => {
  const charts: readonly (readonly MarkedPoint[])[] = [
    [point('2026-01-04', 0)],
    [point('2026-01-04', 0), point('2026-01-04', 7.25, 'crossed')],
    [point('2026-01-04', 3), point('2026-01-05', 1, 'hollow')],
    [point('2025-09-01', 999), point('2026-06-30', 1.5)],
  ];
  for (const points of charts) {
    const coordinates = drawn({ points, aim: null }).elements.flatMap((one) =>
      ['x', 'y', 'x1', 'y1', 'x2', 'y2'].flatMap((name) => one[name] ?? []),
    );
    assert.ok(coordinates.length > 0);
    for (const at of coordinates) assert.ok(Number.isFinite(at) && at >= -4 && at <= size.width, String(at));
  }
});

test('a chart of nothing is refused', () => {
  assert.throws(() => timeChart({ ...size, points: [], aim: null }), RangeError);
});

test.run();
