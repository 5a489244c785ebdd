// One attempt at a job under a lease, of any kind: its end, and the state that it leaves for the next one.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { type LeasedKind, orderJobs, runLeased } from '#core/long-jobs/index.ts';
import { jobRows } from '#core/long-jobs/lease.ts';
import type { JobRow } from '#core/long-jobs/store.ts';
import { inContext } from '#core/platform/db.ts';
import { buildOrganization } from '../../harness/factories.ts';
import { useApp } from '../../harness/http.ts';

const app = useApp(test);
const { services } = app;
const { owner } = app.database;
const rows = jobRows(['recompute']);

async function order() {
  const { id: organizationId } = await buildOrganization(owner);
  const one = { kind: 'recompute', organizationId, subject: 'leased', input: {}, requestedBy: null } as const;
  const [id = ''] = await inContext(owner, 'SUPER', (trx) => orderJobs(trx, app.clock.now(), [one]));
  return { organizationId, id };
}
type Key = Awaited<ReturnType<typeof order>>;

const stored = ({ id }: Key) => inContext(owner, 'SUPER', (trx) => trx('rule_job').where({ id }).first());
const left = async (key: Key) => {
  const { state, attempts, token, heldUntil, issue } = await stored(key);
  return { state, attempts, token, isHeld: heldUntil !== null, issue };
};

class Final extends Error {}

const kindOf = (
  attempt: LeasedKind<JobRow>['attempt'],
  more: Partial<LeasedKind<JobRow>> = {},
): LeasedKind<JobRow> => ({
  name: 'job of a test',
  rows,
  retries: { attempts: 2 },
  attempt,
  isFinal: (error) => error instanceof Final,
  fail: (_services, job, error) =>
    rows.write(services, job, { state: 'failed', issue: (error as Error).message, heldUntil: null }),
  ...more,
});

test('a job that is held or has ended is not begun; a process that is about to end begins none', async () => {
  const key = await order();
  let begun = 0;
  const kind = kindOf(async (_services, job) => {
    begun += 1;
    assert.is(await runLeased(services, kind, key), false, 'it is held');
    await rows.write(services, job, { state: 'done', heldUntil: null });
  });
  assert.is(await runLeased(services, kind, key, AbortSignal.abort()), false);
  assert.is(await runLeased(services, kind, key), true);
  assert.is(await runLeased(services, kind, key), false, 'it has ended');
  assert.is(begun, 1);
});

test('a failed job is released or paused, and ends after the last attempt, or at once if another would fail too', async () => {
  const failing = (error: Error) => kindOf(() => Promise.reject(error));
  const key = await order();
  assert.ok(await runLeased(services, failing(new Error('one')), key));
  assert.equal(await left(key), { state: 'running', attempts: 1, token: 1, isHeld: false, issue: null });
  assert.ok(await runLeased(services, failing(new Error('two')), key));
  assert.equal(await left(key), { state: 'failed', attempts: 2, token: 2, isHeld: false, issue: 'two' });
  const final = await order();
  assert.ok(await runLeased(services, failing(new Final('final')), final));
  assert.equal((await left(final)).issue, 'final');
  const paused = await order();
  const pause = (_services: unknown, job: JobRow) => rows.write(services, job, { subject: 'paused' });
  assert.ok(
    await runLeased(
      services,
      kindOf(() => Promise.reject(new Error('x')), { pause }),
      paused,
    ),
  );
  assert.equal([(await stored(paused)).subject, (await left(paused)).isHeld], ['paused', true]);
});

test('a queue that retries gets every failure but the last', async () => {
  const key = await order();
  const kind = kindOf(() => Promise.reject(new Error('heard')), { isRetriedByQueue: true });
  assert.is(await runLeased(services, kind, key).catch(({ message }) => message), 'heard');
  assert.is(await runLeased(services, kind, key), true);
  assert.equal((await left(key)).state, 'failed');
});

test('a holder that has lost the job writes nothing, throws nothing and fails nothing', async () => {
  const key = await order();
  const kind = kindOf(async (_services, job) => {
    await owner('rule_job').where({ id: key.id }).update({ token: 7 });
    await inContext(services.db, key, (trx) => rows.writeIn(trx, job, { subject: 'late' }));
  });
  assert.is(await runLeased(services, kind, key), true);
  assert.equal(await left(key), { state: 'running', attempts: 1, token: 7, isHeld: true, issue: null });
  assert.is((await stored(key)).subject, 'leased');
});

test('an attempt that is interrupted by the end of the process is not counted', async () => {
  const key = await order();
  const stop = new AbortController();
  const kind = kindOf(
    async () => {
      stop.abort();
      throw new Final('interrupted');
    },
    { isInterruptible: true },
  );
  assert.is(await runLeased(services, kind, key, stop.signal), true);
  assert.equal(await left(key), { state: 'running', attempts: 0, token: 1, isHeld: false, issue: null });
});

test('a job that was begun too often is not begun again', async () => {
  const key = await order();
  await owner('rule_job').where({ id: key.id }).update({ attempts: 2 });
  await runLeased(
    services,
    kindOf(() => Promise.reject(new Error('begun'))),
    key,
  );
  assert.equal(await left(key), { state: 'failed', attempts: 3, token: 1, isHeld: false, issue: 'begun too often' });
});

test.run();
