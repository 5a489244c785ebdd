// Active time: what the client reports, cut to what the server saw, without pauses and replays.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { countedLatencyMs, pauses } from '../../../src/measurement/diagnostics/engine/active-time.ts';
import type { EventRow } from '../../../src/measurement/diagnostics/engine/state.ts';

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

test('a pause across two items is taken from each by its own part', () => {
  const events = [event('pause', 118_000), event('resume', 133_000)];
  const next = { servedItemId: 'served-2', fromMs: 130_000, toMs: 140_000 };
  assert.is(countedLatencyMs(20_000, shown, events), 18_000);
  assert.is(countedLatencyMs(20_000, next, events), 7_000);
});

test('a pause outside the item changes nothing', () => {
  assert.is(countedLatencyMs(20_000, shown, [event('pause', 10_000), event('resume', 20_000)]), 20_000);
});

test('replays of this item are taken off, those of another are not', () => {
  const own = event('audio_replay', 104_000, { servedItemId: 'served-1', durationMs: 3_000 });
  const other = event('audio_replay', 104_000, { servedItemId: 'served-9', durationMs: 3_000 });
  const unnamed = event('audio_replay', 104_000, { durationMs: 2_000 });
  assert.is(countedLatencyMs(20_000, shown, [own, other]), 17_000);
  assert.is(countedLatencyMs(20_000, shown, [own, unnamed]), 15_000);
});

test('pauses and replays beyond the time shown give 0, never less', () => {
  const replay = event('audio_replay', 101_000, { servedItemId: 'served-1', durationMs: 60_000 });
  assert.is(countedLatencyMs(20_000, shown, [replay]), 0);
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

test('pauses: a resume that claims to be before its pause makes no negative time', () => {
  assert.equal(pauses([event('pause', 5), event('resume', 3)]), [{ fromMs: 5, toMs: 5 }]);
});

test.run();
