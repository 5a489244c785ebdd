// The key that seals what providers are reached with is replaced while the service goes on, and the old one leaves it.
import * as OTPAuth from 'otpauth';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createApp, createServices } from '#app/app.ts';
import { jobsOf } from '#core/module/capability.ts';
import type { Services } from '#core/module/services.ts';
import { buildClass, buildUser, password, passwordHash } from '../../../harness/factories.ts';
import { type HttpClient, httpClient } from '../../../harness/fetch.ts';
import { type TestApp, useApp } from '../../../harness/http.ts';
import { useAnsweringServer } from '../../../harness/lms/answering-server.ts';
import { startGoogle } from '../../../harness/lms/google.ts';
import { classRow, serveOneRoster } from '../../../harness/lms/one-roster.ts';
import { listen } from '../../../harness/server.ts';
import { buildTenant, type Tenant } from '../../../harness/world.ts';
import { jsonFiles, rosterSet, smallSet } from '../sets.ts';
import { RosterAdmin, rowOf } from '../walk.ts';
import { classroomFlow, frontend } from './google/flow.ts';

const server = await useAnsweringServer(test);
const google = await startGoogle();
test.after(() => google.close());
const app = useApp(test, {
  rules: true,
  settings: {
    ...{ ...google.settings, FRONTEND_URL: frontend, PORT: '3456', RATE_LIMIT_IP_PER_MINUTE: '100000' },
    LMS_TRUSTED_HOSTS: server.host,
  },
});
const { owner } = app.database;

/** That of the test service, and the one that takes its place. */
const [older, newer] = [Buffer.alloc(32, 2), Buffer.alloc(32, 3)];

interface Restarted extends HttpClient {
  readonly services: Services;
}

/** The service started again with other keys, on the same database. */
async function restarted(
  keys: readonly [Buffer, ...Buffer[]],
  work: (service: Restarted) => Promise<void>,
): Promise<void> {
  const { config, clock, log, db, reserve } = app.services;
  const secrets = { tokenSigningSeeds: [Buffer.alloc(32, 1)], tokenEncryptionKeys: keys, ipHashSalt: 'test' };
  const lmsClient = { pause: async () => {} };
  const services = createServices({ config, secrets, clock, db, reserve, log, lmsClient });
  const { url, close } = await listen(createApp(services, log));
  try {
    await work({ ...httpClient(() => url), services });
  } finally {
    await close();
    await services.limits.close();
    await services.relayWakeup.close();
    await services.notificationStreams.close();
  }
}

const tokenOf = ({ people }: Tenant) => ({ token: people.ADMIN.token });
const connectRest = (client: HttpClient, tenant: Tenant) => {
  const { baseUrl, tokenUrl, clientId, clientSecret } = serveOneRoster(server, { classes: [classRow('c-1')] });
  const body = { type: 'rest', baseUrl, tokenUrl, clientId, clientSecret };
  return client.post('/api/lms/connections/oneroster/token', body, tokenOf(tenant));
};
const connectFiles = (client: HttpClient, tenant: Tenant) =>
  client.post('/api/lms/connections/oneroster/token', { type: 'csv', files: jsonFiles(smallSet()) }, tokenOf(tenant));
const courses = async (client: HttpClient, tenant: Tenant, provider = 'oneroster') => {
  const path = `/api/lms/${provider}/courses?cache=bypass`;
  const { status, body } = await client.get<{ items?: readonly object[] }>(path, tokenOf(tenant));
  return [status, body.items?.length];
};
const keyIds = async ({ organizationId }: Tenant) =>
  (await owner('lms_connection').where({ organizationId, status: 'active' }).orderBy('provider')).map(
    ({ credentialsKeyId, sealedCredentials }) => [credentialsKeyId, sealedCredentials?.split('.')[0] ?? null],
  );

/** What the night does. */
async function seal({ services }: Restarted): Promise<void> {
  const nightly = jobsOf(services.capabilities).daily.filter(({ name }) => name.endsWith('-sealing'));
  assert.is(nightly.length, 2);
  for (const { run } of nightly) await run(services, undefined as never, { date: '2026-01-16', organizationId: '' });
}

test('connections of all kinds outlive the key that sealed them', async () => {
  const [rest, files, next] = [await buildTenant(app), await buildTenant(app), await buildTenant(app)];
  google.api = () => ({ body: { courses: [{ id: 'g-1', name: 'لغتي', courseState: 'ACTIVE' }] } });
  assert.is((await connectRest(app, rest)).status, 201);
  assert.is((await connectFiles(app, files)).status, 201);
  assert.ok((await classroomFlow(app, google).outcome(rest.people.ADMIN.token)).get('connectionId'));
  const all = async (client: HttpClient) => [
    await courses(client, rest),
    await courses(client, rest, 'google_classroom'),
    await courses(client, files),
  ];
  const works = [
    [200, 1],
    [200, 1],
    [200, 1],
  ];
  assert.equal(await all(app), works);
  let [old, fresh] = ['', ''];
  await restarted([newer, older], async (service) => {
    [fresh = '', old = ''] = service.services.cipher.keyIds;
    assert.equal(await all(service), works);
    assert.is((await connectRest(service, next)).status, 201);
    assert.equal([await keyIds(rest), await keyIds(next)], [Array(2).fill([old, old]), [[fresh, fresh]]]);
  });
  await restarted([newer], async (service) => {
    assert.equal(await all(service), [[503, undefined], [503, undefined], works[2]], 'before anything was sealed anew');
  });
  await restarted([newer, older], async (service) => {
    await seal(service);
    assert.equal(await keyIds(rest), Array(2).fill([fresh, fresh]));
    assert.equal(await all(service), works);
    const written = () => owner('lms_connection').select(owner.raw('xmin::text')).orderBy('id');
    const before = await written();
    await seal(service);
    assert.equal(await written(), before, 'what is sealed under the first key stays as it is');
  });
  await restarted([newer], async (service) => {
    assert.equal([...(await all(service)), await courses(service, next)], [...works, [200, 1]]);
  });
});

test('a second factor outlives the key that encrypted its secret', async () => {
  const { people } = await buildTenant(app);
  const { id, token } = people.ADMIN;
  await owner('app_user')
    .where({ id })
    .update({ passwordHash: await passwordHash() });
  const { body } = await app.post<{ secret: string }>('/api/auth/totp/enroll', { password }, { token });
  await restarted([newer, older], seal);
  await restarted([newer], async (service) => {
    const code = new OTPAuth.TOTP({ secret: body.secret }).generate({ timestamp: app.clock.now().getTime() });
    const confirmed = await service.post('/api/auth/totp/confirm', { code }, { token });
    assert.is(confirmed.status, 200, JSON.stringify(confirmed.body));
  });
});

test('what no key opens is left as it is, and keeps nothing else from being sealed anew', async () => {
  const [spoilt, sound] = [await buildTenant(app), await buildTenant(app)];
  for (const tenant of [spoilt, sound]) assert.is((await connectRest(app, tenant)).status, 201);
  const text = `${app.services.cipher.keyIds[0]}.AAAA`;
  const { organizationId } = spoilt;
  await owner('lms_connection').where({ organizationId }).update({ sealedCredentials: text });
  await restarted([newer, older], async (service) => {
    await seal(service);
    assert.equal((await keyIds(sound))[0]?.[0], service.services.cipher.keyIds[0]);
  });
  assert.is((await owner('lms_connection').where({ organizationId }).first()).sealedCredentials, text);
});

test('who was erased stays erased: known under the old key, and from the next roster on under the new one', async () => {
  const tenant = await buildTenant(app);
  const { organizationId, school } = tenant;
  const { id: classId } = await buildClass(owner, { organizationId, schoolId: school.id, grade: 3 });
  const known = await buildUser(owner, 'STUDENT', { organizationId, email: `erased-${organizationId}@example.org` });
  const { email } = await owner('app_user').where({ id: known.id }).first('email');
  const roster = rosterSet({
    classes: [{ id: 'A', title: 'الأول' }],
    people: [{ id: 'k2', email }],
    enrolled: [{ course: 'A', person: 'k2' }],
  });
  const by = (client: HttpClient, services: Services) =>
    new RosterAdmin({ ...app, ...client, services } as TestApp, () => tenant.people.ADMIN);
  const first = by(app, app.services);
  const { body } = await first.upload(roster);
  await first.map({ A: classId });
  await first.preview(body.id);
  assert.is((await app.post(`/api/students/${known.id}/erasure`, {}, tokenOf(tenant))).status, 200);
  for (const keys of [[newer, older] as const, [newer] as const]) {
    await restarted([...keys], async (service) => {
      const admin = by(service, service.services);
      await admin.upload(roster);
      const { action, reasonCode } = rowOf(await admin.preview(body.id), 'k2');
      assert.equal([action, reasonCode], ['skip', 'erased_person']);
    });
  }
  assert.is((await owner('lms_erased_person').where({ organizationId })).length, 2);
});

test.run();
