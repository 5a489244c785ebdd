// Documents that workers render: asked for once, tried three times, stored once, read by the one who may, and gone with whom they
// name.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { purgeExpired } from '#backoffice/operations/retention/purge.ts';
import { LostLease } from '#core/long-jobs/index.ts';
import { jobsOf, routesOf } from '#core/module/capability.ts';
import { inContext } from '#core/platform/db.ts';
import { unavailable } from '#core/platform/errors.ts';
import { newId } from '#core/platform/ids.ts';
import type { Job } from '#core/platform/queue/queue.ts';
import { ReportRefusal } from '#messaging/documents/index.ts';
import { reportRows, saveReport } from '#messaging/documents/rows/lease.ts';
import { requestReport } from '#messaging/documents/rows/request.ts';
import { reportJobs } from '#messaging/documents/runs/jobs.ts';
import { runReport } from '#messaging/documents/runs/run.ts';
import { reportKindOf } from '#messaging/documents/services.ts';
import { relayAll } from '../../../workers/relay.ts';
import { eventually } from '../../harness/eventually.ts';
import { buildStudent, signIn } from '../../harness/factories.ts';
import { useApp } from '../../harness/http.ts';
import { buildTenant, type Person, type Tenant } from '../../harness/world.ts';
import { noQueues } from '../../workers/support.ts';
import { Press } from './press.ts';

const press = new Press();
const app = useApp(test, { capabilities: press.capabilities, rules: true });
const { services, clock } = app;
const { owner } = app.database;
const dayMs = 86_400_000;
let tenant: Tenant;
let stranger: Tenant;

test.before(async () => {
  tenant = await buildTenant(app);
  stranger = await buildTenant(app);
});
test.before.each(() => press.clean());

const ask = async (contentKey: string = newId(), word = 'session_pdf', subject = newId()) => {
  const { organizationId, people } = tenant;
  const kind = reportKindOf(services, word);
  const request = { kind, subject, input: {}, contentKey, requestedBy: people.TEACHER.id };
  const { id } = await inContext(services.db, { organizationId }, (trx) =>
    requestReport(trx, { ...request, organizationId, now: clock.now() }),
  );
  return { organizationId, id };
};

type Key = Awaited<ReturnType<typeof ask>>;

interface View extends Readonly<Record<string, unknown>> {
  readonly state: string;
}

const rowOf = ({ id }: Key) => owner('report_job').where({ id }).first();
const read = (key: Key, by: Person = tenant.people.TEACHER) =>
  app.get<View>(`/api/report-jobs/${key.id}`, { token: by.token });
const file = (key: Key, by: Person = tenant.people.TEACHER) =>
  app.get<string>(`/api/report-jobs/${key.id}/file`, { token: by.token });
const stateOf = async (key: Key) => (await read(key)).body.state;
const summary = ({ status, body }: { status: number; body: unknown }) => [
  status,
  (body as { details?: { issue: string }[] }).details?.[0]?.issue,
];
const endPause = ({ id }: Key) =>
  owner('report_job')
    .where({ id })
    .update({ heldUntil: new Date(0) });

/** Seconds until it may be tried again. */
async function pauseOf({ id }: Key): Promise<number> {
  const { rows } = await owner.raw(
    'select extract(epoch from held_until - clock_timestamp())::float8 as seconds from report_job where id = ?',
    [id],
  );
  return rows[0].seconds;
}

const queueOfKind = { class_report: 'class-report', board_report: 'board-report', parent_letters: 'parent-letters' };

test('each kind has a queue of its own, and a kind that two capabilities bring is refused at start', () => {
  const names = jobsOf(services.capabilities).handlers.map(({ queue }) => queue);
  for (const queue of ['session-pdf', ...Object.values(queueOfKind)]) assert.ok(names.includes(queue), queue);
  const twice = [...services.capabilities, { name: 'other', reportKinds: press.kinds }];
  assert.throws(() => routesOf(twice), /two of the name session_pdf/);
});

async function swept(): Promise<readonly Job[]> {
  const added: Job[] = [];
  const queues = { ...noQueues, add: async (jobs: readonly Job[]) => void added.push(...jobs) };
  await reportJobs.schedules?.[0]?.run(services, queues);
  return added;
}

test('asked for, announced, rendered and read: state, progress, headers and bytes', async () => {
  const key = await ask();
  assert.equal(summary(await file(key)), [409, 'not_ready']);
  const added: Job[] = [];
  const queues = { ...noQueues, add: async (jobs: readonly Job[]) => void added.push(...jobs) };
  await relayAll(services, queues, reportJobs.reactions ?? []);
  assert.equal(added, [
    { queue: 'session-pdf', id: `report-${key.id}`, data: { organizationId: key.organizationId, jobId: key.id } },
  ]);
  await runReport(services, key);
  const { body } = await read(key);
  const now = clock.now();
  assert.equal(body, {
    ...{ jobId: key.id, kind: 'session_pdf', target: { sessionId: (await rowOf(key)).subject }, state: 'done' },
    ...{ progress: { done: 1, total: 1 }, createdAt: now.toISOString(), finishedAt: now.toISOString() },
    ...{ expiresAt: new Date(now.getTime() + 14 * dayMs).toISOString(), failureCode: null },
    fileUrl: `/api/report-jobs/${key.id}/file`,
  });
  const got = await file(key);
  assert.equal([got.status, got.body], [200, '%PDF-']);
  assert.is(got.headers.get('content-type'), 'application/pdf');
  assert.is(got.headers.get('content-disposition'), 'attachment; filename="session-2026-01-15.pdf"');
  assert.is(got.headers.get('cache-control'), 'private, no-store');
});

test('the same content is asked for once, by many at once too; not where it failed or its file is gone', async () => {
  const content = newId();
  const all = await Promise.all(Array.from({ length: 6 }, () => ask(content)));
  assert.is(new Set(all.map(({ id }) => id)).size, 1);
  const [first] = all as [Key];
  assert.equal(
    await owner('outbox').where({ topic: 'report_job.queued' }).whereRaw("payload ->> 'jobId' = ?", [first.id]).count(),
    [{ count: 1 }],
  );
  await runReport(services, first);
  assert.is((await ask(content)).id, first.id);
  await owner('report_job').where({ id: first.id }).update({ expiresAt: clock.now() });
  const second = await ask(content);
  assert.is.not(second.id, first.id);
  assert.is((await rowOf(first)).state, 'expired');
  await owner('report_job')
    .where({ id: second.id })
    .update({ state: 'failed', failureCode: 'render_error', finishedAt: clock.now() });
  assert.is.not((await ask(content)).id, second.id);
});

test('of reports the same is asked for once while it is on its way, by many at once too; later there is another', async () => {
  for (const [kind, ofKind] of Object.entries(queueOfKind)) {
    const content = newId();
    const all = await Promise.all(Array.from({ length: 4 }, () => ask(content, kind, '7')));
    const [first] = all as [Key];
    assert.is(new Set(all.map(({ id }) => id)).size, 1);
    await reportRows.claim(services, first);
    assert.is((await ask(content, kind, '7')).id, first.id, 'it is running');
    await endPause(first);
    await runReport(services, first);
    const later = await Promise.all(Array.from({ length: 4 }, () => ask(content, kind, '7')));
    assert.equal([new Set(later.map(({ id }) => id)).size, later[0]?.id === first.id], [1, false]);
    assert.ok((await swept()).some(({ queue, data }) => queue === ofKind && data.jobId === later[0]?.id));
    assert.is((await rowOf(first)).state, 'done');
  }
});

test('a job says what it is about by its kind; letters have an address of their own', async () => {
  const { organizationId: orgId } = tenant;
  const known = [
    ['class_report', '7', { classId: 7 }],
    ['board_report', orgId, { orgId }],
  ] as const;
  for (const [kind, subject, target] of known) {
    const key = await ask(newId(), kind, subject);
    const { body } = await read(key);
    assert.equal([body.kind, body.target], [kind, target]);
    assert.equal(summary(await file(key)), [409, 'not_ready']);
  }
  const letters = await ask(newId(), 'parent_letters', '7');
  assert.equal([(await read(letters)).status, (await file(letters)).status], [404, 404]);
});

test('progress is reported piece by piece, and never the last one before there is a file', async () => {
  press.total = 4;
  const seen: unknown[] = [];
  press.render = async (note) => {
    for (const done of [2, 4]) {
      await note(done);
      seen.push((await read(key)).body.progress);
      await new Promise((resolve) => setTimeout(resolve, 600));
    }
    return Buffer.from('%PDF-');
  };
  const key = await ask(newId(), 'class_report', '7');
  assert.equal((await read(key)).body.progress, { done: 0, total: 1 });
  await runReport(services, key);
  assert.equal(seen, [
    { done: 2, total: 4 },
    { done: 3, total: 4 },
  ]);
  assert.equal((await read(key)).body.progress, { done: 4, total: 4 });
  assert.equal((await rowOf(key)).counts, { pieces: 4 });
});

const failures = [
  [() => new ReportRefusal('language_unsafe', 'x'), 'language_unsafe'],
  [() => unavailable('x'), 'language_unavailable'],
  [() => new RangeError('x'), 'render_error'],
] as const;

test('what fails is tried after 5 and after 30 seconds, then given up with a code', async () => {
  for (const [error, failureCode] of failures) {
    press.render = async () => Promise.reject(error());
    const key = await ask();
    for (const seconds of [5, 30]) {
      await runReport(services, key);
      assert.equal([await stateOf(key), Math.round(await pauseOf(key))], ['running', seconds]);
      const before = press.rendered.length;
      await runReport(services, key);
      assert.is(press.rendered.length, before, 'it pauses');
      assert.not.ok((await swept()).some(({ data }) => data.jobId === key.id));
      await endPause(key);
      assert.ok((await swept()).some(({ data }) => data.jobId === key.id));
    }
    await runReport(services, key);
    const { body } = await read(key);
    assert.equal([body.state, body.failureCode, 'fileUrl' in body], ['failed', failureCode, false]);
    assert.equal(summary(await file(key)), [409, 'failed']);
    await runReport(services, key);
    assert.is(press.rendered.filter((id) => id === key.id).length, 3);
  }
});

test('a file that is too large is none', async () => {
  press.render = async () => Buffer.alloc(21);
  const key = await ask();
  for (let tries = 0; tries < 3; tries++) {
    await runReport(services, key);
    await endPause(key);
  }
  assert.is((await read(key)).body.failureCode, 'too_large');
  assert.equal(await owner('report_file').where({ jobId: key.id }), []);
});

test('no transaction is open while it is rendered, and two workers render it once', async () => {
  press.render = async () => {
    // The other worker, which finds the job taken, may be between its statements.
    await eventually('no transaction is open', async () => {
      const { rows } = await owner.raw(`select count(*)::integer as open from pg_stat_activity
        where datname = current_database() and state like 'idle in transaction%'`);
      return rows[0].open === 0;
    });
    return Buffer.from('none open');
  };
  const key = await ask();
  await Promise.all([runReport(services, key), runReport(services, key)]);
  assert.is((await file(key)).body, 'none open');
  assert.equal(press.rendered, [key.id]);
});

test('a killed worker’s job runs again, and the one that was thought dead stores nothing', async () => {
  const key = await ask();
  const dead = await reportRows.claim(services, key);
  if (!dead) throw new Error('it was free');
  assert.ok((await pauseOf(key)) < 60);
  await endPause(key);
  assert.ok((await swept()).some(({ data }) => data.jobId === key.id));
  await runReport(services, key);
  const late = { bytes: Buffer.from('late'), contentType: 'x', fileName: 'x', studentIds: [], expiresAt: clock.now() };
  assert.instance(await saveReport(services, dead, late).catch((error) => error), LostLease);
  assert.is((await file(key)).body, '%PDF-');
  const doomed = await ask();
  for (let kills = 0; kills < 3; kills++) {
    await reportRows.claim(services, doomed);
    await endPause(doomed);
  }
  await runReport(services, doomed);
  assert.is((await read(doomed)).body.failureCode, 'render_error');
});

test('the one who may ask for it reads it, the one who did; administrators; no one else; a stranger finds nothing', async () => {
  const key = await ask();
  await runReport(services, key);
  const { TEACHER, ADMIN, PRINCIPAL, PARENT, 'TEACHER elsewhere': other } = tenant.people;
  const statuses = async (by: Person) => [(await read(key, by)).status, (await file(key, by)).status];
  for (const by of [TEACHER, ADMIN, PRINCIPAL, other]) assert.equal(await statuses(by), [200, 200]);
  assert.equal(await statuses(PARENT), [403, 403]);
  assert.equal(await statuses(stranger.people.ADMIN), [404, 404]);
  press.isInReach = false;
  for (const by of [TEACHER, PRINCIPAL, other]) assert.equal(await statuses(by), [403, 403]);
  assert.equal(await statuses(ADMIN), [200, 200]);
  assert.is((await app.get('/api/report-jobs/nonsense', { token: ADMIN.token })).status, 404);
});

const erase = (studentId: number) =>
  app.post(`/api/students/${studentId}/erasure`, undefined, { token: tenant.people.ADMIN.token });

test('an erasure takes every file that names the student at once, and no other', async () => {
  const [one, other] = [await buildStudent(owner, tenant.classRow), await buildStudent(owner, tenant.classRow)];
  press.named = [one.id, other.id];
  const naming = await ask();
  await runReport(services, naming);
  press.named = [other.id];
  const spared = await ask();
  await runReport(services, spared);
  assert.is((await erase(one.id)).status, 200);
  assert.equal([await stateOf(naming), (await file(naming)).status], ['expired', 404]);
  assert.equal(await owner('report_file').where({ jobId: naming.id }), []);
  assert.equal(await owner('report_file_student').where({ jobId: naming.id }), []);
  assert.is((await file(spared)).status, 200);
});

test('who is erased while a document is rendered is in no stored one', async () => {
  const one = await buildStudent(owner, tenant.classRow);
  press.named = [one.id];
  press.render = async () => {
    await erase(one.id);
    return Buffer.from('name');
  };
  const key = await ask();
  await runReport(services, key);
  assert.equal(await owner('report_file').where({ jobId: key.id }), []);
  press.clean();
  await endPause(key);
  await runReport(services, key);
  assert.is(await stateOf(key), 'done');
});

test('a file goes after 14 days, the job after 90, and not a millisecond before', async () => {
  const key = await ask();
  await runReport(services, key);
  const begun = clock.now().getTime();
  const at = (ms: number) => new Date(begun + ms);
  const left = async (now: Date) => {
    await purgeExpired(services, now);
    const files = await owner('report_file').where({ jobId: key.id });
    return [files.length, (await owner('report_job').where({ id: key.id })).length];
  };
  assert.equal(await left(at(14 * dayMs - 1)), [1, 1]);
  clock.advance(14 * dayMs);
  const by = { ...tenant.people.TEACHER, token: await signIn(app, tenant.people.TEACHER) };
  assert.equal([(await read(key, by)).body.state, (await file(key, by)).status], ['expired', 404]);
  assert.equal(await left(at(14 * dayMs)), [0, 1]);
  assert.equal(await left(at(90 * dayMs - 1)), [0, 1]);
  assert.equal(await left(at(90 * dayMs)), [0, 0]);
});

test.run();
