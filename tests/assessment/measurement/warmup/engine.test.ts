// The warm-up's plan, clock and batches, without a database.
import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { itemBank } from '#assessment/content/items/engine/bank.ts';
import { loadItemBank } from '#assessment/content/items/files.ts';
import { freshEvents, outOfOrder } from '#assessment/measurement/warmup/engine/batch.ts';
import {
  endedAs,
  openStatus,
  runningMs,
  type WarmupEventRow,
  warmupSummaryOf,
} from '#assessment/measurement/warmup/engine/course.ts';
import { planWarmup, warmupTargetsOf } from '#assessment/measurement/warmup/engine/plan.ts';
import { type AnswerEvent, timedAnswers } from '#assessment/measurement/warmup/engine/training.ts';
import { durationMs, readWarmupValues } from '#assessment/measurement/warmup/engine/values.ts';
import { itemOf } from '../items.ts';
import { bundle } from '../sessions.ts';

const values = readWarmupValues(bundle);
const bank = await loadItemBank('rules', 1);

test('WRM constants: 60 seconds, 20 items of at most 15 seconds, 1 logit easier, resumable for ten minutes', () => {
  assert.equal(values, {
    durationSeconds: 60,
    maxItems: 20,
    maxExpectedSeconds: 15,
    resumableMs: 600_000,
    easierLogit: 1,
  });
  assert.is(durationMs(values), 60_000);
});

const quick = (id: string, difficulty: number, overrides: object = {}) =>
  itemOf({ id, subSkillCode: 'VOC_MEANING', difficulty, expectedSeconds: 15, ...overrides });
const plan = (items: ReturnType<typeof quick>[], theta = 0) =>
  planWarmup(
    { gradeBand: 'G12', targets: [{ subSkillCode: 'VOC_MEANING', theta }] },
    itemBank({ version: 1, items }),
    values,
  ).map(({ id }) => id);

test('WRM-OFF-01: items nearest to theta − 1 first, ties by item id', () => {
  assert.equal(plan([quick('c', -1), quick('b', -0.6), quick('a', -1.4), quick('d', 0)]), ['c', 'a', 'b', 'd']);
  assert.equal(plan([quick('a', -1), quick('b', 1)], 2), ['b', 'a']);
});

test('equal distances to 4 decimals are equal: sums of floats do not order items', () => {
  // 0.09999999999999998 and 0.10000000000000009 from the aim, which is 0.3 − 1.
  assert.equal(plan([quick('b', -0.6), quick('a', -0.8)], 0.3), ['a', 'b']);
});

test('WRM-SEC-01: slower, withdrawn and other bands’ items are not planned', () => {
  const items = [
    quick('a', -1, { expectedSeconds: 16 }),
    quick('b', -1, { status: 'withdrawn' }),
    quick('c', -1, { gradeBand: 'G34' }),
    quick('d', 3),
  ];
  assert.equal(plan(items), ['d']);
  assert.equal(plan(items.slice(0, 3)), []);
});

test('WRM-MAX-01: at most twenty items, from several sub-skills together', () => {
  const targets = [
    { subSkillCode: 'VOC_MEANING', theta: 0 },
    { subSkillCode: 'LK_FORM', theta: 1.2 },
  ];
  const planned = planWarmup({ gradeBand: 'G12', targets }, bank, values);
  assert.is(planned.length, 20);
  const aims: Record<string, number> = { VOC_MEANING: -1, LK_FORM: 0.2 };
  const distances = planned.map((item) => Math.round(Math.abs(item.difficulty - (aims[item.subSkillCode] ?? 9)) * 1e4));
  assert.equal(
    distances,
    [...distances].sort((a, b) => a - b),
  );
  assert.is(new Set(planned.map(({ subSkillCode }) => subSkillCode)).size, 2);
  for (const { expectedSeconds } of planned) assert.ok(expectedSeconds <= 15);
});

test('without any theta the first part of the grade is warmed up at theta 0', () => {
  assert.equal(warmupTargetsOf([], ['A', 'B']), [
    { subSkillCode: 'A', theta: 0 },
    { subSkillCode: 'B', theta: 0 },
  ]);
  assert.equal(warmupTargetsOf([{ subSkillCode: 'C', theta: 1.5 }], ['A']), [{ subSkillCode: 'C', theta: 1.5 }]);
});

const event = (
  type: WarmupEventRow['type'],
  receivedMs: number,
  atMs = 0,
  itemId: string | null = null,
): WarmupEventRow => ({
  seq: 1,
  type,
  atMs,
  itemId,
  receivedMs,
});

test('running time is the server’s clock without the pauses', () => {
  const shown = { fromMs: 1_000, toMs: 61_000 };
  assert.is(runningMs([], shown), 60_000);
  assert.is(runningMs([event('pause', 11_000), event('resume', 31_000)], shown), 40_000);
  assert.is(runningMs([event('pause', 11_000)], shown), 10_000, 'still paused');
  assert.is(runningMs([event('pause', 11_000), event('pause', 20_000), event('resume', 31_000)], shown), 40_000);
  assert.is(runningMs([event('resume', 20_000)], shown), 60_000);
  assert.is(runningMs([event('pause', 11_000), event('resume', 11_000)], shown), 60_000);
});

test('COMPLETED from 60,000 ms of running time or of the last event, else ENDED_EARLY', () => {
  const summary = (running: number, lastAtMs: number) => ({ answered: 0, runningMs: running, lastAtMs });
  assert.is(endedAs(summary(60_000, 0), 60_000), 'COMPLETED');
  assert.is(endedAs(summary(0, 60_000), 60_000), 'COMPLETED');
  assert.is(endedAs(summary(59_999, 59_999), 60_000), 'ENDED_EARLY');
});

test('a summary counts different answered items; skipped ones are not answered', () => {
  const events = [
    event('answer', 1, 10, 'a'),
    event('answer', 2, 20, 'a'),
    event('skip', 3, 30, 'b'),
    event('answer', 4, 40, 'c'),
  ];
  assert.equal(warmupSummaryOf(events, { fromMs: 0, toMs: 50 }), { answered: 2, runningMs: 50, lastAtMs: 40 });
  assert.equal(warmupSummaryOf([], { fromMs: 0, toMs: 50 }), { answered: 0, runningMs: 50, lastAtMs: 0 });
});

test('the last pause or resume decides the state', () => {
  assert.is(openStatus([]), 'RUNNING');
  assert.is(openStatus([], 'PAUSED'), 'PAUSED');
  assert.is(openStatus([{ type: 'pause' }, { type: 'answer' }]), 'PAUSED');
  assert.is(openStatus([{ type: 'pause' }, { type: 'resume' }], 'PAUSED'), 'RUNNING');
});

test('only new numbers of a batch are recorded, each once, in order', () => {
  const given = [3, 1, 2, 3, 5].map((seq, at) => ({ seq, atMs: at }));
  assert.equal(freshEvents(given, new Set([2])), [
    { seq: 1, atMs: 1 },
    { seq: 3, atMs: 0 },
    { seq: 5, atMs: 4 },
  ]);
});

test('times that decrease with rising numbers are found, also against stored events', () => {
  const stored = [
    { seq: 2, atMs: 100 },
    { seq: 4, atMs: 200 },
  ];
  const found = (...fresh: { seq: number; atMs: number }[]) => outOfOrder(fresh, stored)?.seq;
  assert.is(found({ seq: 1, atMs: 100 }, { seq: 3, atMs: 200 }, { seq: 5, atMs: 200 }), undefined);
  assert.is(found({ seq: 3, atMs: 99 }), 3);
  assert.is(found({ seq: 3, atMs: 201 }), 3);
  assert.is(found({ seq: 5, atMs: 300 }, { seq: 6, atMs: 299 }), 6);
});

test('events are recorded once for any split into batches, sent twice and in any order', () => {
  const course = fc
    .array(fc.integer({ min: 0, max: 3_000 }), { minLength: 1, maxLength: 30 })
    .map((steps) => steps.map((_, at) => ({ seq: at + 1, atMs: steps.slice(0, at + 1).reduce((a, b) => a + b, 0) })));
  fc.assert(
    fc.property(course, fc.infiniteStream(fc.nat()), (events, random) => {
      const shuffled = [...events, ...events].map((one) => ({ one, key: random.next().value ?? 0 }));
      shuffled.sort((a, b) => a.key - b.key);
      const stored: { seq: number; atMs: number }[] = [];
      for (let at = 0; at < shuffled.length; at += 4) {
        const batch = shuffled.slice(at, at + 4).map(({ one }) => one);
        const fresh = freshEvents(batch, new Set(stored.map(({ seq }) => seq)));
        assert.is(outOfOrder(fresh, stored), undefined);
        stored.push(...fresh);
      }
      assert.equal(
        stored.sort((a, b) => a.seq - b.seq),
        events,
      );
    }),
    { numRuns: 100, seed: 9 },
  );
});

test('the latency of an answer is the running time since the previous answer or skip; only the first answer to an item is `first`', () => {
  const answer = (atMs: number, itemId: string, correct = true): AnswerEvent => ({
    type: 'answer',
    atMs,
    itemId,
    selectedOptionIndex: correct ? 0 : 1,
    correct,
    receivedAt: '2026-01-15T08:00:00.000Z',
  });
  const skip: AnswerEvent = { ...answer(5_000, 'b'), type: 'skip', selectedOptionIndex: null, correct: null };
  const timed = timedAnswers([answer(2_000, 'a', false), skip, answer(5_400, 'b'), answer(9_000, 'a')]);
  assert.equal(
    timed.map(({ itemId, latencyMs, attempt, correct }) => [itemId, latencyMs, attempt, correct]),
    [
      ['a', 2_000, 'first', false],
      ['b', 400, 'first', true],
      ['a', 3_600, 'repeat', true],
    ],
  );
});

test.run();
