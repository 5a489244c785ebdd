// A process that stops releases a long job after its current step; the next process continues there.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { type JobModel, longJobs, orderJobs } from '#core/long-jobs/index.ts';
import { runJob } from '#core/long-jobs/runner.ts';
import { inContext } from '#core/platform/db.ts';
import type { Job, Queues } from '#core/platform/queue/queue.ts';
import { buildOrganization } from '../../harness/factories.ts';
import { useApp } from '../../harness/http.ts';
import { noQueues } from '../../workers/support.ts';

const app = useApp(test);
const { owner } = app.database;
const steps = 5;

const order = async (kind: 'recompute' | 'impact', count = 1) => {
  const { id: organizationId } = await buildOrganization(owner);
  const one = { kind, organizationId, subject: 'stopping', input: {}, requestedBy: null } as const;
  const ids = await inContext(owner, 'SUPER', (trx) => orderJobs(trx, app.clock.now(), Array(count).fill(one)));
  return ids.map((id) => ({ id, organizationId }));
};
const rowOf = (id: string) => inContext(owner, 'SUPER', (trx) => trx('rule_job').where({ id }).first());

function countingModel(inStep: (at: number) => void): { model: JobModel; worked: number[] } {
  const worked: number[] = [];
  const model: JobModel = {
    kind: 'recompute',
    size: async () => steps,
    step: async (_services, _job, position) => {
      const at = Number(position ?? 0) + 1;
      worked.push(at);
      inStep(at);
      return { done: at, position: at, isLast: at === steps };
    },
    report: async () => ({}),
  };
  return { model, worked };
}

test('a job stops after its current step, and not before the first one', async () => {
  const [key] = await order('recompute');
  const stop = new AbortController();
  const { model, worked } = countingModel((at) => (at === 2 ? stop.abort() : undefined));
  assert.ok(key);
  await runJob(app.services, [model], key, stop.signal);
  assert.equal(worked, [1, 2]);
  const row = await rowOf(key.id);
  assert.equal([row.state, row.heldUntil, row.done, row.attempts], ['running', null, 2, 0]);
  await runJob(app.services, [model], key, stop.signal);
  assert.equal(worked, [1, 2], 'one that stops begins nothing');
  await runJob(app.services, [model], key, new AbortController().signal);
  assert.equal(worked, [1, 2, 3, 4, 5]);
  assert.is((await rowOf(key.id)).state, 'done');
});

test('the sweep finds released jobs, and thousands of recomputes do not delay an impact', async () => {
  const many = await order('recompute', 600);
  const [late] = await order('impact');
  const added: Job[] = [];
  const queues: Queues = { ...noQueues, add: async (jobs) => void added.push(...jobs) };
  for (const { run } of longJobs([]).schedules ?? []) await run(app.services, queues);
  const ids = new Set(added.map(({ data }) => data.jobId));
  assert.ok(ids.has(late?.id ?? ''));
  assert.ok(many.some(({ id }) => ids.has(id)));
});

test.run();
