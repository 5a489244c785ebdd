// Taught minutes of segments from signals: overlapping, missing, repeated, paused, and closed by the end.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { type SegmentSignal, taughtTimes } from '#teaching/live-lessons/engine/minutes.ts';

const words = { s: 'segment_started', f: 'segment_finished', p: 'paused', r: 'resumed' } as const;
/** `s0 f5` means started at minute 0 and finished at minute 5. Returns minutes per segment. */
function taught(course: string, end: number, segments = 3): Record<number, number> {
  const signals = course.split(' ').flatMap((word): SegmentSignal[] => {
    const is = words[word[0] as keyof typeof words];
    return is === undefined ? [] : [{ is, atMs: Number(word.slice(1)) * 60_000 }];
  });
  const times = taughtTimes(signals, segments, end * 60_000);
  return Object.fromEntries(times.map(({ segmentNo, taughtMs }) => [segmentNo, taughtMs / 60_000]));
}

test('each start and its finish', () => assert.equal(taught('s0 f5 s6 f16 s16 f20', 30), { 1: 5, 2: 10, 3: 4 }));
test('a start while another segment runs closes that one', () => assert.equal(taught('s0 s5 f9', 30), { 1: 5, 2: 4 }));
test('the end closes what still runs', () => assert.equal(taught('s0 f5 s6', 16), { 1: 5, 2: 10 }));
test('a finish without a start, and a second one, close nothing', () => {
  assert.equal(taught('f1 s2 f5 f7 s8 f9', 30), { 1: 3, 2: 1 });
});
test('a pause does not count, also at its edges and when it lasts until the end', () => {
  assert.equal(taught('s0 p2 r6 f8', 30), { 1: 4 });
  assert.equal(taught('p0 s1 r2 f4', 30), { 1: 2 });
  assert.equal(taught('s0 p2 f5 s6 r7 f9', 30), { 1: 2, 2: 2 });
  assert.equal(taught('s0 p2', 30), { 1: 2 });
});
test('starts after the last segment count for the last', () =>
  assert.equal(taught('s0 f1 s2 f4 s5 f9', 30, 2), { 1: 1, 2: 6 }));
test('without segments there is one; without a start there is no time', () => {
  assert.equal(taught('s0 f1 s2 f4', 30, 0), { 1: 3 });
  assert.equal(taught('p1 r2 f3', 30), {});
});

test.run();
