// In a backlog, following jobs begin when no awaited job is running, and none waits for ever.
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

/** Work that the test ends. */
function open() {
  let end: () => void = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { end, ended };
}

test('following jobs begin when the last awaited one has ended, also by a failure, and at once if there is none', async () => {
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

test('following jobs begin after their longest wait, and at once when the process stops', async () => {
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

test('the failure of a job is its own', async () => {
  const { runFollowing } = createPriorityGate(patient);
  const outcome = await runFollowing(() => Promise.reject(new Error('own')), never).catch(
    (error: Error) => error.message,
  );
  assert.is(outcome, 'own');
});

test('recomputes are awaited; jobs derived from their runs follow', () => {
  const priorityOf = Object.fromEntries(jobsOf(capabilities).handlers.map(({ queue, priority }) => [queue, priority]));
  assert.is(priorityOf[recomputeRequests.queue], 'awaited');
  const following = Object.keys(priorityOf).filter((queue) => priorityOf[queue] === 'following');
  assert.equal(following.sort(), ['fidelity-recount', 'mastery', 'rollups', 'rti-evaluation']);
});

test.run();
