// The concurrent requests of one person: 8 requests, 4 of them heavy; 20 more wait up to two seconds (contract 11, "One
// person").
import { EventEmitter } from 'node:events';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { ConcurrencyLimits, type Leave } from '#core/http/checks/concurrency-limits.ts';
import type { AppError } from '#core/platform/errors.ts';

const light = { heavy: false };
const heavy = { heavy: true };
const [person, another] = [1, 2];

/** A request: whether it has begun, and its refusal. */
function asking(limits: ConcurrencyLimits, userId: number, how: { heavy: boolean }) {
  const response = new EventEmitter();
  const state: { leave?: Leave; refusal?: AppError } = {};
  const settled = limits.enter(userId, how, response).then(
    (leave) => {
      state.leave = leave;
    },
    (refusal: AppError) => {
      state.refusal = refusal;
    },
  );
  return { state, settled, response, hangUp: () => response.emit('close') };
}

const soon = () => new Promise((resolve) => setImmediate(resolve));
const begun = (all: readonly ReturnType<typeof asking>[]) => all.filter(({ state }) => state.leave).length;
const refused = (all: readonly ReturnType<typeof asking>[]) => all.filter(({ state }) => state.refusal).length;
const many = (limits: ConcurrencyLimits, count: number, how: { heavy: boolean }, who: number = person) =>
  Array.from({ length: count }, () => asking(limits, who, how));

test('of 40 light ones 8 begin, 20 wait and 12 are refused at once: 429 busy, again after a second', async () => {
  const all = many(new ConcurrencyLimits(), 40, light);
  await soon();
  assert.equal([begun(all), refused(all)], [8, 12]);
  const refusal = all.at(-1)?.state.refusal;
  const found = [refusal?.code, refusal?.status, refusal?.retryAfter, refusal?.details?.[0]?.issue];
  assert.equal(found, ['RATE_LIMITED', 429, 1, 'busy']);
  for (const { hangUp } of all) hangUp();
});

test('of 40 heavy ones 4 begin, and light ones beside them up to 8; other people are not affected', async () => {
  const limits = new ConcurrencyLimits();
  const all = many(limits, 40, heavy);
  await soon();
  assert.equal([begun(all), refused(all)], [4, 16]);
  const beside = many(limits, 5, light);
  await soon();
  assert.equal([begun(beside), refused(beside)], [4, 1]);
  const others = many(limits, 8, light, another);
  await soon();
  assert.is(begun(others), 8);
  for (const { hangUp } of all) hangUp();
});

test('waiting requests begin in their order, a heavy one only when a heavy one has ended', async () => {
  const limits = new ConcurrencyLimits();
  const heavies = many(limits, 4, heavy);
  const lights = many(limits, 4, light);
  const [firstHeavy, secondLight, thirdHeavy] = [heavy, light, heavy].map((how) => asking(limits, person, how));
  await soon();
  lights[0]?.state.leave?.();
  await soon();
  assert.equal(
    [firstHeavy, secondLight, thirdHeavy].map((one) => Boolean(one?.state.leave)),
    [false, true, false],
  );
  heavies[0]?.state.leave?.();
  await soon();
  assert.equal(
    [firstHeavy, thirdHeavy].map((one) => Boolean(one?.state.leave)),
    [true, false],
  );
  heavies[1]?.state.leave?.();
  await soon();
  assert.ok(thirdHeavy?.state.leave);
});

test('a request that waits too long is refused after two seconds and not before', async () => {
  const limits = new ConcurrencyLimits();
  many(limits, 8, light);
  const startedAt = performance.now();
  const waiting = asking(limits, person, light);
  await waiting.settled;
  const waitedMs = performance.now() - startedAt;
  assert.ok(waitedMs >= 1_990, `${waitedMs} ms`);
  assert.is(waiting.state.refusal?.details?.[0]?.issue, 'busy');
  assert.is(waiting.response.listenerCount('close'), 0);
});

test('a disconnect while waiting removes the request; a disconnect while it runs keeps its slot', async () => {
  const limits = new ConcurrencyLimits({ mostWaiting: 1 });
  const first = many(limits, 8, light);
  const waiting = asking(limits, person, light);
  await soon();
  waiting.hangUp();
  const next = asking(limits, person, light);
  await soon();
  assert.equal([refused([waiting]), refused([next])], [1, 0]);
  first[0]?.hangUp();
  await soon();
  assert.not.ok(next.state.leave);
  first[0]?.state.leave?.();
  await soon();
  assert.ok(next.state.leave);
});

test('a thousand sequential requests leave no state', async () => {
  const limits = new ConcurrencyLimits();
  for (let at = 0; at < 1_000; at++) (await limits.enter(person, at % 2 ? heavy : light, new EventEmitter()))();
  const all = many(limits, 8, light);
  await soon();
  assert.is(begun(all), 8);
});

test.run();
