// The list of impacts and replays, and failed ones that are ordered again.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { inContext } from '#core/platform/db.ts';
import { newId } from '#core/platform/ids.ts';
import { platformOrganizationId } from '#core/platform/pure/platform-organization.ts';
import { buildOrganization, buildSuperAdmin, buildUser, signIn } from '../../../harness/factories.ts';
import { useApp } from '../../../harness/http.ts';

const app = useApp(test, { rules: true });
const { owner } = app.database;

interface Job {
  readonly jobId: string;
  readonly state: string;
  readonly kind: string;
  readonly subject: { readonly type: string; readonly id: string | null };
  readonly createdAt: string;
}
interface List {
  readonly items: readonly Job[];
  readonly nextCursor: string | null;
}
interface Retried {
  readonly jobId: string;
  readonly code?: string;
  readonly details?: readonly { readonly issue: string }[];
}

let organizationId: string;
let tokens: readonly string[];
let asker: number;
let madeAt = Date.parse('2026-01-10T00:00:00.000Z');

test.before(async () => {
  organizationId = (await buildOrganization(owner)).id;
  const people = [await buildSuperAdmin(owner), await buildSuperAdmin(owner)];
  asker = (await buildSuperAdmin(owner)).id;
  tokens = await Promise.all(people.map((one) => signIn(app, one)));
});

/** Inserts a failed replay of the organization, each a second after the one before. */
async function jobRow(overrides: Record<string, unknown> = {}) {
  madeAt += 1_000;
  const row = {
    ...{ id: newId(), kind: 'replay', organizationId, subject: 'request', state: 'failed', issue: 'INTERNAL' },
    ...{ input: { trigger: 'request', scope: { organizationId } }, requestedBy: asker },
    ...{ done: 3, total: 9, createdAt: new Date(madeAt), updatedAt: new Date(madeAt + 500) },
    ...overrides,
  };
  await inContext(owner, 'SUPER', (trx) => trx('rule_job').insert({ ...row, input: JSON.stringify(row.input) }));
  return row;
}

const list = async (query = '') => (await app.get<List>(`/api/admin/jobs${query}`, { token: tokens[0] ?? '' })).body;
const retry = (id: string, at = 0) => app.post<Retried>(`/api/admin/jobs/${id}/retry`, {}, { token: tokens[at] ?? '' });
const clear = () => inContext(owner, 'SUPER', (trx) => trx('rule_job').delete());
const refusal = ({ status, body }: { status: number; body: Retried }) => [status, body.code, body.details?.[0]?.issue];

test.before.each(async () => void (await clear()));

test('a job is listed with its subject, progress, and who asked; recomputes are not listed', async () => {
  await jobRow({ kind: 'recompute', input: {} });
  const { id, createdAt, updatedAt } = await jobRow();
  assert.equal(await list(), {
    items: [
      {
        jobId: id,
        kind: 'replay',
        subject: { type: 'organization', id: organizationId },
        organizationId,
        state: 'failed',
        progress: { done: 3, total: 9 },
        issue: 'INTERNAL',
        requestedBy: asker,
        createdAt: createdAt.toISOString(),
        updatedAt: updatedAt.toISOString(),
      },
    ],
    nextCursor: null,
  });
});

test('subjects: what an impact simulates, and whose runs a replay repeats', async () => {
  const [changeId, schoolId] = [newId(), newId()];
  await jobRow({ kind: 'impact', subject: changeId, input: { changeId, scope: { organizationId } } });
  await jobRow({ input: { trigger: 'request', scope: { schoolId } } });
  await jobRow({ input: { trigger: 'request', scope: { classId: 7 } } });
  await jobRow({ organizationId: platformOrganizationId, input: { trigger: 'request', scope: { platform: true } } });
  await jobRow({ subject: 'nightly', input: { trigger: 'nightly', after: 0, through: 1, most: 1 }, requestedBy: null });
  assert.equal(
    (await list()).items.map(({ subject }) => subject),
    [
      { type: 'organization', id: organizationId },
      { type: 'platform', id: null },
      { type: 'class', id: '7' },
      { type: 'school', id: schoolId },
      { type: 'rule_change', id: changeId },
    ],
  );
});

test('kind and state filter, pages are newest first, and each job is on one page', async () => {
  const made: string[] = [];
  for (const kind of ['impact', 'replay'])
    for (const state of ['queued', 'running', 'done', 'failed', 'cancelled'])
      made.unshift((await jobRow({ kind, state })).id);
  const pages: string[] = [];
  let query = '?limit=3';
  for (let cursor: string | null = ''; cursor !== null; query = `?limit=3&cursor=${cursor}`) {
    const page = await list(query);
    pages.push(...page.items.map(({ jobId }) => jobId));
    cursor = page.nextCursor;
  }
  assert.equal(pages, made);
  assert.equal(
    (await list('?kind=impact&state=failed')).items.map(({ kind, state }) => [kind, state]),
    [['impact', 'failed']],
  );
  assert.is((await list('?state=done')).items.length, 2);
  assert.is((await list('?kind=replay')).items.length, 5);
  for (const wrong of ['?kind=recompute', '?state=lost', '?cursor=x'])
    assert.is((await app.get(`/api/admin/jobs${wrong}`, { token: tokens[0] ?? '' })).status, 422, wrong);
});

test('a failed job is ordered again with the same input, by whoever asks; the failed one stays', async () => {
  const failed = await jobRow();
  const { status, body } = await retry(failed.id);
  assert.is(status, 201, JSON.stringify(body));
  const read = (id: string) => inContext(owner, 'SUPER', (trx) => trx('rule_job').where({ id }).first());
  const [before, after] = [await read(failed.id), await read(body.jobId)];
  for (const same of ['kind', 'organizationId', 'subject', 'input']) assert.equal(after[same], before[same], same);
  assert.equal([after.state, after.done, after.position, after.issue], ['queued', 0, null, null]);
  assert.is.not(after.requestedBy, asker);
  assert.equal([before.state, before.issue], ['failed', 'INTERNAL']);
  const events = await inContext(owner, 'SUPER', (trx) =>
    trx('outbox').where({ topic: 'rule_job.queued' }).whereRaw("payload ->> 'jobId' = ?", [body.jobId]),
  );
  assert.is(events.length, 1, 'it is started');
});

test('two people at once order it again once; later it is 409 `state` too', async () => {
  const { id } = await jobRow();
  const replies = await Promise.all([0, 1, 0, 1, 0, 1].map((at) => retry(id, at)));
  const ordered = replies.filter(({ status }) => status === 201);
  assert.is(ordered.length, 1);
  for (const reply of replies) if (reply.status !== 201) assert.equal(refusal(reply), [409, 'CONFLICT', 'state']);
  assert.equal(refusal(await retry(id)), [409, 'CONFLICT', 'state']);
  const jobs = await inContext(owner, 'SUPER', (trx) => trx('rule_job').select('id'));
  assert.is(jobs.length, 2);
});

test('only failed ones: 409 `state` in every other state', async () => {
  for (const state of ['queued', 'running', 'done', 'cancelled']) {
    const { id } = await jobRow({ state });
    assert.equal(refusal(await retry(id)), [409, 'CONFLICT', 'state'], state);
  }
});

test('a repeated job that fails is ordered again itself', async () => {
  const { id } = await jobRow();
  const { jobId } = (await retry(id)).body;
  await inContext(owner, 'SUPER', (trx) => trx('rule_job').where({ id: jobId }).update({ state: 'failed' }));
  assert.is((await retry(jobId)).status, 201);
});

test('a night that failed stays one of the night', async () => {
  const input = { trigger: 'nightly', after: 0, through: 5, most: 500 };
  const { id } = await jobRow({ subject: 'nightly', input, requestedBy: null });
  const { jobId } = (await retry(id)).body;
  const repeated = await inContext(owner, 'SUPER', (trx) => trx('rule_job').where({ id: jobId }).first());
  assert.equal([repeated.subject, repeated.requestedBy, repeated.input], ['nightly', null, input]);
});

test('jobs of the whole platform are ordered again too', async () => {
  const input = { trigger: 'request', scope: { platform: true } };
  const { id } = await jobRow({ organizationId: platformOrganizationId, input });
  const { status, body } = await retry(id);
  assert.is(status, 201);
  const repeated = (await list('?state=queued')).items;
  assert.equal(
    repeated.map(({ jobId, subject }) => [jobId, subject.type]),
    [[body.jobId, 'platform']],
  );
});

test('unknown ones, recomputes and malformed ids are 404; those of a demo are read-only', async () => {
  const { id: recompute } = await jobRow({ kind: 'recompute', input: {} });
  for (const id of [newId(), recompute, 'x']) assert.is((await retry(id)).status, 404, id);
  const demo = (await buildOrganization(owner, { isDemo: true })).id;
  const { id } = await jobRow({ organizationId: demo });
  assert.equal(refusal(await retry(id)), [403, 'DEMO_READ_ONLY', undefined]);
});

test('while many jobs are open: 429, and the job can be ordered later', async () => {
  const { id } = await jobRow();
  for (let at = 0; at < 20; at++) await jobRow({ state: 'queued' });
  const refused = await retry(id);
  assert.equal(refusal(refused), [429, 'RATE_LIMITED', 'jobs_open']);
  await inContext(owner, 'SUPER', (trx) => trx('rule_job').where({ state: 'queued' }).delete());
  assert.is((await retry(id)).status, 201);
});

test('an Idempotency-Key gives the first answer again', async () => {
  const { id } = await jobRow();
  const again = () =>
    app.post<Retried>(
      `/api/admin/jobs/${id}/retry`,
      {},
      {
        token: tokens[0] ?? '',
        headers: { 'idempotency-key': 'one' },
      },
    );
  const [first, second] = [await again(), await again()];
  assert.equal([first.status, second.status], [201, 201]);
  assert.is(second.body.jobId, first.body.jobId);
  assert.is(second.headers.get('idempotency-replayed'), 'true');
});

test('an administrator of an organization is refused', async () => {
  const token = await signIn(app, await buildUser(owner, 'ADMIN', { organizationId }));
  const { id } = await jobRow();
  assert.is((await app.get('/api/admin/jobs', { token })).status, 403);
  assert.is((await app.post(`/api/admin/jobs/${id}/retry`, {}, { token })).status, 403);
});

test.run();
