// Active time: the reported latency, limited to the observed time, without pauses and replays.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { countedLatencyMs, heardLatencyMs, pauses } from '#assessment/measurement/diagnostics/engine/active-time.ts';
import type { EventRow } from '#assessment/measurement/diagnostics/engine/state.ts';
import { seededNumbers } from '#core/platform/pure/random.ts';

const shown = { servedItemId: 'served-1', fromMs: 100_000, toMs: 120_000 };
const event = (type: EventRow['type'], atMs: number, more: Partial<EventRow> = {}): EventRow => ({
  type,
  atMs,
  servedItemId: null,
  durationMs: null,
  ...more,
});

test('the reported latency counts when the server saw at least as much', () => {
  assert.is(countedLatencyMs(7_000, shown, []), 7_000);
  assert.is(countedLatencyMs(20_000, shown, []), 20_000);
});

test('a latency larger than received − served is cut to it', () => {
  assert.is(countedLatencyMs(900_000, shown, []), 20_000);
});

test('a pause within the item is not active time', () => {
  assert.is(countedLatencyMs(20_000, shown, [event('pause', 105_000), event('resume', 111_000)]), 14_000);
});

test('a pause that began before the item and one that outlasts it count only where they overlap', () => {
  assert.is(countedLatencyMs(20_000, shown, [event('pause', 90_000), event('resume', 103_000)]), 17_000);
  assert.is(countedLatencyMs(20_000, shown, [event('pause', 115_000), event('resume', 300_000)]), 15_000);
  assert.is(countedLatencyMs(20_000, shown, [event('pause', 115_000)]), 15_000);
});

test('a pause across two items is subtracted from each by its own part', () => {
  const events = [event('pause', 118_000), event('resume', 133_000)];
  const next = { servedItemId: 'served-2', fromMs: 130_000, toMs: 140_000 };
  assert.is(countedLatencyMs(20_000, shown, events), 18_000);
  assert.is(countedLatencyMs(20_000, next, events), 7_000);
});

test('a pause outside the item changes nothing', () => {
  assert.is(countedLatencyMs(20_000, shown, [event('pause', 10_000), event('resume', 20_000)]), 20_000);
});

test('replays of this item and of none are subtracted, those of another are not; overlaps count once', () => {
  const own = event('audio_replay', 104_000, { servedItemId: 'served-1', durationMs: 3_000 });
  const other = event('audio_replay', 104_000, { servedItemId: 'served-9', durationMs: 3_000 });
  const unnamed = event('audio_replay', 104_000, { durationMs: 2_000 });
  assert.is(countedLatencyMs(20_000, shown, [own, other]), 17_000);
  assert.is(countedLatencyMs(20_000, shown, [own, unnamed]), 17_000);
  assert.is(countedLatencyMs(20_000, shown, [own, { ...unnamed, atMs: 110_000 }]), 15_000);
});

test('a replay is cut to the time that the item was shown; one of all of it gives 0, never less', () => {
  const replay = event('audio_replay', 101_000, { servedItemId: 'served-1', durationMs: 60_000 });
  assert.is(countedLatencyMs(20_000, shown, [replay]), 1_000);
  assert.is(countedLatencyMs(20_000, shown, [{ ...replay, atMs: 90_000 }]), 0);
});

test('an answer received at the instant of serving counts 0', () => {
  assert.is(countedLatencyMs(5_000, { ...shown, toMs: shown.fromMs }, []), 0);
});

test('pauses: a second pause and a second resume change nothing, an open one has no end', () => {
  const events = [event('pause', 1), event('pause', 2), event('resume', 5), event('resume', 6), event('pause', 9)];
  assert.equal(pauses(events), [
    { fromMs: 1, toMs: 5 },
    { fromMs: 9, toMs: Number.POSITIVE_INFINITY },
  ]);
});

test('pauses: a resume before its pause gives no negative time', () => {
  assert.equal(pauses([event('pause', 5), event('resume', 3)]), [{ fromMs: 5, toMs: 5 }]);
});

test('three taps within a second are one replay, and no guess', () => {
  const taps = [101_000, 101_400, 101_800].map((atMs) => event('audio_replay', atMs, { durationMs: 3_000 }));
  const seen = { ...shown, toMs: 109_000 };
  assert.is(countedLatencyMs(9_000, seen, taps), 5_200);
  assert.is(heardLatencyMs(9_000, seen, taps), 9_000);
  const paused = [event('pause', 102_000), ...taps, event('resume', 103_000)];
  assert.is(countedLatencyMs(9_000, seen, paused), 5_200, 'a replay inside a pause is taken off once');
  assert.is(heardLatencyMs(9_000, seen, paused), 8_000);
});

// 30 §4 by its definition: a millisecond of the displayed time counts unless an interval covers it.
test('property: counted time is the time without pauses and replays, millisecond by millisecond', () => {
  const random = seededRandom(30);
  for (let round = 0; round < 400; round += 1) {
    const within = { servedItemId: 'served-1', fromMs: 200, toMs: 200 + random(300) };
    const events = Array.from({ length: random(9) }, (): EventRow => {
      const type = (['pause', 'resume', 'audio_replay', 'focus_lost'] as const)[random(4)] ?? 'pause';
      const more = type === 'audio_replay' ? { durationMs: random(250), servedItemId: anyItem[random(3)] ?? null } : {};
      return event(type, random(700), more);
    });
    const away = coveredBy(events);
    const left = (covers: (ms: number) => boolean) =>
      Array.from({ length: within.toMs - within.fromMs }, (_, at) => within.fromMs + at).filter((ms) => !covers(ms))
        .length;
    const reported = random(400);
    const why = JSON.stringify({ within, events });
    assert.is(countedLatencyMs(reported, within, events), Math.min(reported, left(away.all)), why);
    assert.is(heardLatencyMs(reported, within, events), Math.min(reported, left(away.pauses)), why);
  }
});

const anyItem = ['served-1', 'served-2', null];

/** Returns integers from 0 to below `limit`. */
function seededRandom(seed: number): (limit: number) => number {
  const numbers = seededNumbers(seed);
  return (limit) => Math.floor(numbers() * limit);
}

/** Returns whether a pause or replay covers the millisecond that begins at `ms`. */
function coveredBy(events: readonly EventRow[]) {
  const paused: [number, number][] = [];
  let since: number | null = null;
  for (const { type, atMs } of events) {
    if (type === 'pause' && since === null) since = atMs;
    if (type === 'resume' && since !== null) {
      paused.push([since, atMs]);
      since = null;
    }
  }
  if (since !== null) paused.push([since, Infinity]);
  const heard = events
    .filter(({ type, servedItemId }) => type === 'audio_replay' && servedItemId !== 'served-2')
    .map(({ atMs, durationMs }): [number, number] => [atMs, atMs + (durationMs ?? 0)]);
  const covers = (list: readonly [number, number][]) => (ms: number) =>
    list.some(([from, to]) => ms >= from && ms < to);
  return { pauses: covers(paused), all: covers([...paused, ...heard]) };
}

test.run();
