// timeout: 180s
// Long jobs are held on time: the one who lost a job to another writes nothing any more, no one holds a transaction while a
// step is worked out, and a job that kills its process is not begun for ever.
import { setImmediate } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { impactModelOf } from '#backoffice/workbench/impact/steps/model.ts';
import { holderOf, jobRows } from '#core/long-jobs/lease.ts';
import { longJobs, runJob } from '#core/long-jobs/runner.ts';
import { mostOpen, orderJobs } from '#core/long-jobs/store.ts';
import { inContext } from '#core/platform/db.ts';
import type { Job } from '#core/platform/queue/queue.ts';
import { useShell } from '../../../../assessment/skill-status/shell.ts';
import { buildSuperAdmin, signIn } from '../../../../harness/factories.ts';
import type { Reply } from '../../../../harness/fetch.ts';
import {
  buildPlace,
  january,
  jobOf,
  leaseRunsOut,
  type Place,
  type Report,
  startWith,
  storedChange,
  weakGatewaysNoLonger,
  workOn,
} from '../world.ts';

const test = suite('held jobs');
const shell = useShell(test);
const { app, services } = shell;
const { owner } = app.database;
const few = { stored: 4, gathered: 4 };
let place: Place;

test.before(async () => {
  app.clock.set(january(10));
  place = await buildPlace(shell, 3, 31);
});

const ordered = async () => {
  const order = { scope: { organizationId: place.organizationId }, asOf: january(10) };
  return startWith(shell, await storedChange(shell, [weakGatewaysNoLonger()]), order);
};
const keyOf = (id: string) => ({ id, organizationId: place.organizationId });
const end = (id: string) =>
  inContext(owner, 'SUPER', (trx) => trx('rule_job').where({ id }).update({ state: 'cancelled' }));

const rows = jobRows(['impact']);
const claimed = (id: string) => rows.claim(services, keyOf(id));

function holderFor(job: Awaited<ReturnType<typeof claimed>>) {
  if (!job) throw new Error('the job is held by another');
  return { ...holderOf(services, job), renew: () => rows.renew(services.db, job) };
}

function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

/**
 * Ends every connection of the service, as a network or a database would, and comes back when both sides have closed them:
 * a statement on one that the server is about to close would fail, and it is not what is tested here.
 */
async function cutConnections(): Promise<void> {
  const { rows } = await owner.raw(
    `select pg_terminate_backend(pid, 10000) as ended from pg_stat_activity
     where datname = current_database() and usename <> current_user and pid <> pg_backend_pid()`,
  );
  assert.ok(rows.every(({ ended }: { ended: boolean }) => ended));
  // What the server stated last was here before this answer, and has been read when the event loop has gone round.
  await setImmediate();
}

test('two workers at one job: the one that was thought dead writes nothing, and the report is that of a single run', async () => {
  const change = await storedChange(shell, [weakGatewaysNoLonger()]);
  const order = { scope: { organizationId: place.organizationId }, asOf: january(10) };
  const [single, contested] = [await startWith(shell, change, order), await startWith(shell, change, order)];
  await workOn(shell, single, few);
  const [paused, taken, go] = [gate(), gate(), gate()];
  const model = impactModelOf(few);
  let [slowSteps, quickSteps] = [0, 0];
  const slow: typeof model = {
    ...model,
    async step(...asked) {
      slowSteps += 1;
      const step = await model.step(...asked);
      if (slowSteps === 1) {
        paused.open();
        await go.opened;
      }
      return step;
    },
  };
  const quick: typeof model = {
    ...model,
    step(...asked) {
      quickSteps += 1;
      taken.open();
      return model.step(...asked);
    },
  };
  const first = runJob(services, [slow], keyOf(contested));
  await paused.opened;
  await cutConnections();
  await leaseRunsOut(shell, contested);
  const second = runJob(services, [quick], keyOf(contested));
  // One that fails before it begins is heard of.
  await Promise.race([taken.opened, second]);
  go.open();
  await Promise.all([first, second]);
  const [one, other] = [await jobOf(shell, single), await jobOf(shell, contested)];
  assert.equal([other.state, other.reportHash, other.done], ['done', one.reportHash, one.done]);
  assert.is(slowSteps, 1, 'its write is refused, and it goes no further');
  assert.is(quickSteps, 3);
  assert.is(other.token, 2);
});

test('every write shows the token of its holder', async () => {
  const id = await ordered();
  const old = holderFor(await claimed(id));
  assert.is(await claimed(id), undefined, 'it is held');
  await leaseRunsOut(shell, id);
  assert.is(await old.renew(), false, 'time that ran out is not given back');
  const young = holderFor(await claimed(id));
  const before = await jobOf(shell, id);
  const kept: string[] = [];
  const keep = async () => void kept.push('written');
  const writes = [old.size(7), old.advance(1, {}, keep), old.finish({}, keep), old.fail('X'), old.release()];
  assert.equal(await Promise.all(writes), [false, false, false, false, false]);
  assert.equal([kept, await jobOf(shell, id)], [[], before]);
  assert.is(await young.advance(1, {}, keep), true);
  assert.equal(kept, ['written']);
  await end(id);
});

test('no transaction is open while a job is worked at', async () => {
  const id = await ordered();
  const model = impactModelOf(few);
  const open: number[] = [];
  const looking: typeof model = {
    ...model,
    async step(asked, job, position) {
      const { rows } = await owner.raw(
        `select count(*)::integer as open from pg_stat_activity
         where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null
           and backend_type = 'client backend'`,
      );
      open.push(rows[0].open);
      return model.step(asked, job, position);
    },
  };
  await runJob(services, [looking], keyOf(id));
  assert.is((await jobOf(shell, id)).state, 'done');
  assert.equal(open, [0, 0, 0]);
});

test('a job that kills its process is begun five times and then ends; one that gets on is begun as often as it needs', async () => {
  const [deadly, slow] = [await ordered(), await ordered()];
  for (let begun = 1; begun <= 5; begun += 1) {
    assert.is((await claimed(deadly))?.attempts, begun);
    await leaseRunsOut(shell, deadly);
    const other = await claimed(slow);
    const holder = holderFor(other);
    const step = await impactModelOf({ stored: 1, gathered: 1 }).step(
      services,
      other as never,
      other?.position as never,
    );
    assert.ok(await holder.advance(step.done, step.position));
    await leaseRunsOut(shell, slow);
  }
  await workOn(shell, deadly);
  const job = await jobOf(shell, deadly);
  assert.equal([job.state, job.issue, job.report], ['failed', 'INTERNAL', null]);
  await workOn(shell, slow);
  assert.is((await jobOf(shell, slow)).state, 'done');
});

test('a step that fails is tried five times, at once where the holder is free again', async () => {
  const id = await ordered();
  const model = impactModelOf(few);
  const failing: typeof model = { ...model, step: () => Promise.reject(new Error('no')) };
  for (let tries = 1; tries <= 5; tries += 1) {
    assert.is((await jobOf(shell, id)).state, tries === 1 ? 'queued' : 'running');
    await runJob(services, [failing], keyOf(id)).catch(({ message }) => assert.is(message, 'no'));
  }
  const job = await jobOf(shell, id);
  assert.equal([job.state, job.issue], ['failed', 'INTERNAL']);
});

test('people ask for as many impacts and replays as may stand open, no more; students are evaluated again all the same', async () => {
  const token = await signIn(app, await buildSuperAdmin(owner));
  const change = await storedChange(shell, [weakGatewaysNoLonger()]);
  const scope = { organizationId: place.organizationId };
  const span = { from: january(1), to: january(20) };
  const path = `/api/admin/rule-changes/${change.id}/impact`;
  const impact = (): Promise<Reply<Report>> => app.post(path, { scope }, { token });
  const replay = (): Promise<Reply<Report>> => app.post('/api/admin/replays', { scope, ...span }, { token });
  const replies: Reply<Report>[] = [];
  for (let round = 0; round < mostOpen; round += 5) {
    replies.push(...(await Promise.all([impact(), replay(), replay(), replay(), replay(), replay()])));
  }
  const admitted = replies.filter(({ status }) => status === 202);
  const refused = replies.filter(({ status }) => status !== 202);
  assert.equal([admitted.length, refused.length], [mostOpen, 4]);
  for (const { status, body, headers } of refused) {
    assert.equal([status, body.code, body.details?.[0]?.issue], [429, 'RATE_LIMITED', 'jobs_open']);
    assert.is(headers.get('retry-after'), String(body.retryAfter));
  }
  const order = { kind: 'recompute', organizationId: place.organizationId, subject: '1', input: {} } as const;
  const [recompute = ''] = await inContext(owner, 'SUPER', (trx) =>
    orderJobs(trx, app.clock.now(), [{ ...order, requestedBy: 1 }]),
  );
  const queued: Job[] = [];
  const [sweep] = longJobs([]).schedules ?? [];
  await sweep?.run(services, { add: async (jobs: readonly Job[]) => void queued.push(...jobs) } as never);
  const own = queued.find(({ data }) => data.jobId === recompute);
  const others = queued.filter((one) => one !== own);
  assert.is(others.length, mostOpen);
  assert.is(new Set(others.map(({ queue }) => queue)).size, 1);
  assert.is.not(own?.queue, others[0]?.queue, 'a recompute stands behind no one');
});

test.run();
