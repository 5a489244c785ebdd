// A platform that takes its time keeps no one waiting but those who ask it: conversations and sets of files have queues of their
// own, and of one organization one conversation runs in all processes together.
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createLogger } from '#core/platform/process/logger.ts';
import { openQueues } from '#core/platform/queue/queue.ts';
import { nextJobs } from '#integrations/lms/turns/open-jobs.ts';
import { serveQueue } from '#integrations/lms/turns/serve.ts';
import { startWorkers } from '../../../../workers/start.ts';
import { eventually } from '../../../harness/eventually.ts';
import { buildClass } from '../../../harness/factories.ts';
import { useApp } from '../../../harness/http.ts';
import { buildTenant, type Tenant } from '../../../harness/world.ts';
import { storeConnection } from '../providers/connections.ts';
import { smallSet } from '../sets.ts';
import { RosterAdmin } from '../walk.ts';

const conversationMs = 8_000;

/** Each page of enrollments has one row and is followed by another, after a while. `underWay`: requests that wait. */
const slow = { underWay: 0, most: 0, asked: 0, pageMs: 100 };
const server = http.createServer((request, response) => {
  const url = new URL(request.url ?? '/', 'http://slow');
  slow.asked += 1;
  slow.underWay += 1;
  slow.most = Math.max(slow.most, slow.underWay);
  response.once('close', () => {
    slow.underWay -= 1;
  });
  const isToken = url.pathname === '/token';
  const collection = url.pathname.split('/').at(-1) ?? '';
  const offset = Number(url.searchParams.get('offset') ?? 0);
  const isShort = isToken || collection === 'classes';
  const body = isToken
    ? { access_token: 'token', token_type: 'bearer' }
    : { [collection]: [{ sourcedId: `${collection}-${offset}`, title: 'x', status: 'active' }] };
  const timer = setTimeout(
    () => {
      const total = { 'x-total-count': isShort ? '1' : '1000000' };
      response.writeHead(200, { 'content-type': 'application/json', ...total }).end(JSON.stringify(body));
    },
    isShort ? 0 : slow.pageMs,
  );
  response.once('close', () => clearTimeout(timer));
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;

const app = useApp(test, {
  rules: true,
  settings: { LMS_TRUSTED_HOSTS: host },
  lmsClient: { runTimeoutMs: conversationMs },
});
const { owner } = app.database;
test.after(() => {
  server.closeAllConnections();
  server.close();
});

/** An organization whose platform never comes to an end. */
async function slowOrganization() {
  const tenant = await buildTenant(app);
  const made = { organizationId: tenant.organizationId, connectedBy: tenant.people.ADMIN.id };
  const root = `http://${host}/ims/oneroster/rostering/v1p2`;
  const client = { tokenUrl: `http://${host}/token`, clientId: 'c', clientSecret: 's', scope: null };
  const { id } = await storeConnection(app, made, { root, ...client });
  const admin = await mapped(tenant, 'classes-0');
  return { tenant, admin, id };
}

async function mapped(tenant: Tenant, course: string): Promise<RosterAdmin> {
  const { organizationId, school } = tenant;
  const { id: classId } = await buildClass(owner, { organizationId, schoolId: school.id, grade: 3 });
  const admin = new RosterAdmin(app, () => tenant.people.ADMIN);
  const { status, body } = await admin.map({ [course]: classId });
  assert.is(status, 200, JSON.stringify(body));
  return admin;
}

async function fileOrganization() {
  const tenant = await buildTenant(app);
  const admin = new RosterAdmin(app, () => tenant.people.ADMIN);
  const { body } = await admin.upload(smallSet());
  await mapped(tenant, 'class-1');
  return { tenant, admin, id: body.id };
}

const asked = async (admin: RosterAdmin, id: string) => {
  const { status, body } = await admin.ask(id);
  assert.is(status, 201, JSON.stringify(body));
  return body.previewId;
};

test.before.each(async () => {
  await owner('lms_preview').where({ state: 'building' }).update({ state: 'failed', errorCode: 'internal' });
  Object.assign(slow, { most: slow.underWay, asked: 0 });
});

test('beside three endless conversations of A a set of files of B is compared within five seconds; they end in time', async () => {
  const log = createLogger('silent');
  const postgres = { connectionString: app.database.appUrl };
  const both = [1, 2].map(() => openQueues({ log, postgres, prefix: `${app.database.name}-turns` }));
  const a = await slowOrganization();
  const b = await fileOrganization();
  const workers = both.map((queues) => startWorkers({ services: app.services, queues, postgres, log }));
  try {
    const endless: string[] = [];
    for (let one = 0; one < 3; one++) {
      endless.push(await asked(a.admin, a.id));
      app.clock.advance(1);
    }
    await eventually('A is served', () => slow.asked > 2);
    const began = performance.now();
    const previewId = await asked(b.admin, b.id);
    let longestSilenceMs = 0;
    await eventually('the files of B are compared', async () => {
      const at = performance.now();
      assert.is((await fetch(`${app.url()}/healthz`)).status, 200);
      longestSilenceMs = Math.max(longestSilenceMs, performance.now() - at);
      return (await b.admin.read(previewId)).state === 'ready';
    });
    assert.ok(performance.now() - began < 5_000, `${performance.now() - began} ms`);
    // In two processes together one conversation of the organization runs, which asks for one page at a time.
    assert.is(slow.most, 1);
    const [first = ''] = endless;
    const ended = async () => (await owner('lms_preview').whereIn('id', endless).where({ state: 'failed' })).length;
    await eventually('the first conversation has taken its time', async () => (await ended()) > 0);
    const failed = await owner('lms_preview')
      .whereIn('id', endless)
      .where({ state: 'failed' })
      .select('id', 'errorCode');
    assert.equal(failed, [{ id: first, errorCode: 'provider_unavailable' }]);
    const { body } = await app.get<{ errorCode: string }>(`/api/lms/preview/${first}`, a.admin.token);
    assert.is(body.errorCode, 'provider_unavailable');
    await eventually('the next one begins by itself', () => slow.underWay > 0);
    assert.is(slow.most, 1);
  } finally {
    await Promise.all(workers.map((one) => one.stop()));
    await Promise.all(both.map((one) => one.close()));
  }
});

test('a run whose conversation takes too long ends with provider_unavailable', async () => {
  const { admin, id } = await slowOrganization();
  const path = `/api/lms/connections/${id}/sync-now`;
  const { body } = await app.post<{ syncRunId: string }>(path, undefined, admin.token);
  await serveQueue(app.services, 'lms-conversations', new AbortController().signal);
  const run = await owner('lms_sync_run').where({ id: body.syncRunId }).first();
  assert.equal([run.state, run.errorCode], ['error', 'provider_unavailable']);
});

test('next is the organization served longest ago, and in it the person; of those the oldest job', async () => {
  const [one, other] = [await fileOrganization(), await fileOrganization()];
  const order = async () => (await nextJobs(app.services.db, 'lms-previews', { limit: 10 })).map(({ id }) => id);
  const first = await asked(one.admin, one.id);
  app.clock.advance(1);
  const second = await asked(one.admin, one.id);
  app.clock.advance(1);
  const third = await asked(other.admin, other.id);
  assert.equal(await order(), [first, third]);
  assert.equal(await nextJobs(app.services.db, 'lms-conversations', { limit: 10 }), []);
  const at = { servedAt: '2026-01-01T00:00:00Z', queue: 'lms-previews', holder: 'x', heldUntil: null };
  const { organizationId } = one.tenant;
  const served = { organizationId, ...at, peopleServed: JSON.stringify({ [one.tenant.people.ADMIN.id]: 1 }) };
  await owner('lms_turn').insert(served);
  assert.equal(await order(), [third, first]);
  await owner('lms_preview').where({ id: second }).update({ createdBy: one.tenant.people.MANAGER.id });
  assert.equal(await order(), [third, second]);
  // A person works at it: the organization has no next one.
  await owner('lms_turn').where({ organizationId }).update({ heldUntil: '2100-01-01T00:00:00Z' });
  assert.equal(await order(), [third]);
  await owner('lms_turn').where({ organizationId }).update({ heldUntil: '2026-01-01T00:00:00Z' });
  await serveQueue(app.services, 'lms-previews', new AbortController().signal);
  const states = await owner('lms_preview').whereIn('id', [first, second, third]).pluck('state');
  assert.equal(states, ['ready', 'ready', 'ready']);
  assert.is((await owner('lms_turn').where({ organizationId }).first()).heldUntil, null);
});

test.run();
