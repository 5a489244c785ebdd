// The board of background work: what each part counts, and from where.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { reportProcess } from '#backoffice/operations/index.ts';
import type { Services } from '#core/module/services.ts';
import { inContext } from '#core/platform/db.ts';
import { newId } from '#core/platform/ids.ts';
import { platformOrganizationId } from '#core/platform/pure/platform-organization.ts';
import type { QueueState } from '#core/platform/queue/queue.ts';
import { eventually } from '../../../harness/eventually.ts';
import { buildClass, buildStudent, buildSuperAdmin, buildUser, signIn } from '../../../harness/factories.ts';
import { useApp } from '../../../harness/http.ts';
import { shippedVersion } from '../../../harness/rules.ts';

const idle: QueueState = { waiting: 0, active: 0, delayed: 0, oldestSeconds: 0 };
let stateOf = async (_queue: string): Promise<QueueState> => idle;
const app = useApp(test, { rules: true, queueState: (queue) => stateOf(queue) });
const { owner } = app.database;
let token: string;

interface Board {
  readonly queues: readonly (QueueState & { readonly name: string })[];
  readonly outbox: { readonly waiting: number; readonly parked: number; readonly oldestSeconds: number };
  readonly recompute: { readonly waiting: number; readonly failing: readonly object[] };
  readonly schedules: readonly {
    readonly name: string;
    readonly everyMs: number;
    readonly lastRunAt: string | null;
    readonly late: boolean;
  }[];
  readonly processes: readonly { readonly id: string; readonly role: string; readonly queues: readonly string[] }[];
  readonly fallbacks: readonly string[];
  readonly night: object | null;
  readonly alerts: Readonly<Record<string, number>>;
  readonly code?: string;
}

test.before(async () => {
  token = await signIn(app, await buildSuperAdmin(owner));
});
test.after.each(() => {
  stateOf = async () => idle;
});

const read = () => app.get<Board>('/api/admin/queues', { token });
async function board(): Promise<Board> {
  const { status, body } = await read();
  assert.is(status, 200, JSON.stringify(body));
  return body;
}
const ago = (seconds: number) => new Date(app.clock.now().getTime() - 1_000 * seconds);
const asOwner = <T>(work: Parameters<typeof inContext<T>>[2]) => inContext(owner, 'SUPER', work);

test('a new service: every queue and schedule of the service, and nothing that waits', async () => {
  const found = await board();
  const names = found.queues.map(({ name }) => name);
  for (const name of ['recompute', 'rule-jobs', 'rule-recomputes']) assert.ok(names.includes(name), name);
  assert.is(new Set(names).size, names.length);
  assert.equal(found.outbox, { waiting: 0, parked: 0, oldestSeconds: 0 });
  assert.equal(found.recompute, { waiting: 0, failing: [] });
  assert.equal([found.processes, found.fallbacks, found.night], [[], [], null]);
  assert.equal(found.alerts, { critical: 0, high: 0, medium: 0, low: 0 });
  const nightly = found.schedules.find(({ name }) => name === 'nightly-replay');
  assert.equal(nightly, { name: 'nightly-replay', everyMs: 86_400_000, lastRunAt: null, late: false });
  assert.ok(found.schedules.some(({ name }) => name === 'rule-activations'));
});

test('queues: their states in the store', async () => {
  const busy = { waiting: 4, active: 2, delayed: 1, oldestSeconds: 12.5 };
  stateOf = async (queue) => (queue === 'rule-jobs' ? busy : idle);
  const { queues } = await board();
  assert.equal(
    queues.filter(({ waiting }) => waiting > 0),
    [{ name: 'rule-jobs', ...busy }],
  );
});

test('a store of the queues that fails, or does not respond, is 503; many callers wait for one reading', async () => {
  stateOf = () => Promise.reject(new Error('connection refused'));
  const failed = await read();
  assert.equal([failed.status, failed.body.code], [503, 'ENGINE_UNAVAILABLE']);
  assert.ok(Number(failed.headers.get('retry-after')) > 0);
  let asked = 0;
  let respond: (state: QueueState) => void = () => {};
  const response = new Promise<QueueState>((resolve) => {
    respond = resolve;
  });
  stateOf = (queue) => {
    if (queue === 'rule-jobs') asked += 1;
    return response;
  };
  const replies = await Promise.all([read(), read(), read()]);
  assert.equal(
    replies.map(({ status }) => status),
    [503, 503, 503],
  );
  assert.is(asked, 1);
  respond(idle);
  assert.is((await read()).status, 200);
});

test('outbox: events whose reactions have not begun or wait for a retry, and parked ones', async () => {
  const { organizationId } = await buildClass(owner);
  await asOwner(async (trx) => {
    const event = { organizationId, topic: 'x', payload: '{}', createdAt: ago(90) };
    const [waiting, retried, parked] = await trx('outbox')
      .insert([event, { ...event, relayedAt: ago(1) }, { ...event, relayedAt: ago(1) }])
      .returning('id');
    assert.ok(waiting);
    const retry = { organizationId, reaction: 'x', attempts: 1, nextAt: ago(0) };
    await trx('outbox_retry').insert([
      { ...retry, eventId: retried.id },
      { ...retry, eventId: parked.id, parkedAt: ago(0) },
    ]);
  });
  const { outbox } = await board();
  assert.equal(outbox, { waiting: 2, parked: 1, oldestSeconds: 90 });
  await asOwner(async (trx) => {
    await trx('outbox_retry').delete();
    await trx('outbox').delete();
  });
});

test('recompute: students who wait, and organizations with failures, the longest first', async () => {
  const request = { requestedSeq: 2, processedSeq: 1, trigger: 'admin' };
  const failure = { attempts: 3, nextTryAt: ago(-60) };
  const [one, other] = [await buildClass(owner), await buildClass(owner)];
  const add = async (classRow: typeof one, row: object) => {
    const { id: studentId, organizationId } = await buildStudent(owner, classRow);
    await asOwner((trx) => trx('sse_recompute_request').insert({ organizationId, studentId, ...request, ...row }));
  };
  await add(one, { requestedAt: ago(5) });
  await add(one, { requestedAt: ago(4), requestedSeq: 1 });
  await add(one, { requestedAt: ago(300), lastError: 'TypeError', ...failure });
  await add(one, { requestedAt: ago(200), lastError: 'RangeError', ...failure, parkedAt: ago(1) });
  await add(other, { requestedAt: ago(900), lastError: 'database 40001', ...failure });
  const { recompute } = await board();
  assert.equal(recompute, {
    waiting: 3,
    failing: [
      {
        organizationId: other.organizationId,
        students: 1,
        lastError: 'database 40001',
        since: ago(900).toISOString(),
      },
      { organizationId: one.organizationId, students: 2, lastError: 'RangeError', since: ago(300).toISOString() },
    ],
  });
});

test('schedules: the last start, and late by the rule of the check SCHEDULE_OVERDUE', async () => {
  // The period is one second, the threshold of the shipped check 300.
  await owner('schedule').insert({ name: 'rule-activations', lastRunAt: ago(301) });
  const activations = async () => (await board()).schedules.find(({ name }) => name === 'rule-activations');
  assert.equal(await activations(), {
    name: 'rule-activations',
    everyMs: 1_000,
    lastRunAt: ago(301).toISOString(),
    late: false,
  });
  await owner('schedule').update({ lastRunAt: ago(302) });
  assert.is((await activations())?.late, true);
});

test('daily work: the last day that was done, and late while an earlier one is not', async () => {
  const day = (back: number) =>
    ago(back * 86_400)
      .toISOString()
      .slice(0, 10);
  const row = { name: 'nightly-replay', subject: newId(), heldUntil: ago(0) };
  await owner('schedule_day').insert([
    { ...row, day: day(1), doneAt: ago(80_000) },
    { ...row, day: day(2), doneAt: ago(170_000) },
  ]);
  const nightly = async () => (await board()).schedules.find(({ name }) => name === 'nightly-replay');
  assert.equal([(await nightly())?.lastRunAt, (await nightly())?.late], [ago(80_000).toISOString(), false]);
  await owner('schedule_day').insert({ ...row, day: day(3), doneAt: null });
  assert.is((await nightly())?.late, true);
});

test('processes: those that reported within 15 seconds, with the queues that they work at', async () => {
  const parts = { ...app.services, version: '1.2.3' };
  const stops = [reportProcess({ ...parts, role: 'api' }), reportProcess({ ...parts, role: 'worker' })];
  await eventually('both have reported', async () => (await owner('process_report')).length === 2);
  const { processes } = await board();
  assert.equal(
    processes.map(({ role }) => role),
    ['api', 'worker'],
  );
  const [api, worker] = processes;
  assert.equal(Object.keys(worker ?? {}).sort(), ['id', 'queues', 'role', 'seenAt', 'version']);
  assert.equal(api?.queues, []);
  assert.equal(worker?.queues, (await board()).queues.map(({ name }) => name).sort());
  for (const stop of stops) await stop();
  app.clock.advance(15_000);
  assert.is((await board()).processes.length, 2);
  app.clock.advance(1);
  assert.is((await board()).processes.length, 0);
});

test('a clock that was set back leaves no process of the future', async () => {
  await owner('process_report').insert({ id: newId(), role: 'api', version: '1', seenAt: ago(-3_600) });
  assert.equal((await board()).processes, []);
  const stop = reportProcess({ ...(app.services as Services), role: 'api', version: '1.2.3' });
  await eventually(
    'its row is removed',
    async () => (await owner('process_report').where({ version: '1' })).length === 0,
  );
  await stop();
});

test('fallbacks: documents that the reference engine answers for at present', async () => {
  const version = (name: string) => `${name}@${shippedVersion(name as 'bnd/bnd')}`;
  const row = (documentId: string, onFallback: boolean) => ({ documentId, onFallback, facts: '{}', at: ago(0) });
  await owner('rule_engine_fallback').insert([row(version('ssr/ssr'), true), row(version('bnd/bnd'), true)]);
  assert.equal((await board()).fallbacks, [version('bnd/bnd'), version('ssr/ssr')]);
  await owner('rule_engine_fallback').insert(row(version('ssr/ssr'), false));
  assert.equal((await board()).fallbacks, [version('bnd/bnd')]);
});

test('night: the last replay of each organization together, named by one that differs', async () => {
  const night = async (organizationId: string, hoursAgo: number, counts: object, state = 'done') => {
    const id = newId();
    const report = state === 'done' ? JSON.stringify({ fromSeq: 1, toSeq: 9, counts, rowsHash: '' }) : null;
    const at = ago(3_600 * hoursAgo);
    await asOwner((trx) =>
      trx('rule_job').insert({
        ...{ id, organizationId, kind: 'replay', subject: 'nightly', input: '{}', state, report },
        ...{ createdAt: at, updatedAt: new Date(at.getTime() + 60_000) },
      }),
    );
    return id;
  };
  const [one, other] = [(await buildClass(owner)).organizationId, (await buildClass(owner)).organizationId];
  await night(one, 40, { same: 1, inputsDiffer: 1, rulesDiffer: 1 });
  const same = { same: 100, inputsDiffer: 0, rulesDiffer: 0 };
  await night(other, 16.5, same);
  const newest = await night(one, 16, same);
  await night(one, 1, same, 'failed');
  const at = new Date(ago(3_600 * 16).getTime() + 60_000).toISOString();
  assert.equal((await board()).night, { replayId: newest, at, counts: { ...same, same: 200 } });
  const differs = await night(other, 16.2, { same: 98, inputsDiffer: 0, rulesDiffer: 2 });
  assert.equal((await board()).night, {
    replayId: differs,
    at,
    counts: { same: 198, inputsDiffer: 0, rulesDiffer: 2 },
  });
});

test('alerts: what the checks found within 24 hours', async () => {
  const alert = (severity: string, seconds: number, kind = 'qa') => ({
    ...{ organizationId: platformOrganizationId, kind, code: 'X', severity, dedupeKey: newId(), details: '{}' },
    at: ago(seconds),
  });
  await asOwner((trx) =>
    trx('platform_alert').insert([
      alert('critical', 10),
      alert('high', 86_399),
      alert('high', 20),
      alert('high', 86_401),
      alert('medium', 5),
    ]),
  );
  assert.equal((await board()).alerts, { critical: 1, high: 2, medium: 1, low: 0 });
});

test('an administrator of an organization is refused', async () => {
  const admin = await signIn(app, await buildUser(owner, 'ADMIN'));
  assert.is((await app.get('/api/admin/queues', { token: admin })).status, 403);
});

test.run();
