// In a backlog, jobs that follow from others begin when none is under way that somebody waits for, and none waits for ever.
import { setTimeout as sleep } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { capabilities } from '#app/capabilities.ts';
import { recomputeRequests } from '#assessment/skill-status/recompute/queue.ts';
import { jobsOf } from '#core/module/capability.ts';
import { createPriorityGate } from '../../workers/priority-gate.ts';

const test = suite('turns of jobs');
const never = new AbortController().signal;
const patient = 60_000;

/** A piece of work that ends when it is told to. */
function open() {
  let end: () => void = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { end, ended };
}

test('what follows begins when the last awaited job has ended, also one that failed, and at once where there is none', async () => {
  const { runAwaited, runFollowing } = createPriorityGate(patient);
  const [one, other] = [open(), open()];
  const begun: string[] = [];
  const first = runAwaited(() => one.ended);
  const second = runAwaited(async () => {
    await other.ended;
    throw new Error('failed');
  }).catch((error: Error) => error.message);
  const waiting = ['a', 'b'].map((name) => runFollowing(async () => begun.push(name), never));
  one.end();
  await first;
  assert.equal(begun, [], 'one is still under way');
  other.end();
  assert.is(await second, 'failed');
  await Promise.all(waiting);
  assert.equal(begun, ['a', 'b']);
  await runFollowing(async () => begun.push('c'), never);
  assert.equal(begun, ['a', 'b', 'c']);
});

test('what follows begins after its longest wait, and at once where the process is told to stop', async () => {
  const endless = open();
  for (const [longestMs, stop] of [
    [20, never],
    [patient, AbortSignal.abort()],
    [patient, AbortSignal.timeout(20)],
  ] as const) {
    const { runAwaited, runFollowing } = createPriorityGate(longestMs);
    const holding = runAwaited(() => endless.ended);
    assert.is(await runFollowing(async () => 'begun', stop), 'begun');
    assert.is(await Promise.race([holding.then(() => 'ended'), sleep(0, 'under way')]), 'under way');
  }
  endless.end();
});

test('its failure is its own', async () => {
  const { runFollowing } = createPriorityGate(patient);
  const outcome = await runFollowing(() => Promise.reject(new Error('own')), never).catch(
    (error: Error) => error.message,
  );
  assert.is(outcome, 'own');
});

test('recomputes are awaited; what is worked out from their runs follows', () => {
  const turnOf = Object.fromEntries(jobsOf(capabilities).handlers.map(({ queue, turn }) => [queue, turn]));
  assert.is(turnOf[recomputeRequests.queue], 'awaited');
  const following = Object.keys(turnOf).filter((queue) => turnOf[queue] === 'following');
  assert.equal(following.sort(), ['fidelity-recount', 'mastery', 'rollups', 'rti-evaluation']);
});

test.run();
