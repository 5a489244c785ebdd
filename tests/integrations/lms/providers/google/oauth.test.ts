// Google Classroom is connected by the administrator who began, in the browser that began, once and within ten minutes.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { newId } from '#core/platform/ids.ts';
import { eventually, lockWaits } from '../../../../harness/eventually.ts';
import type { Reply } from '../../../../harness/fetch.ts';
import { useApp } from '../../../../harness/http.ts';
import { startGoogle } from '../../../../harness/lms/google.ts';
import { buildTenant, type Tenant } from '../../../../harness/world.ts';
import { classroomFlow, frontend } from './flow.ts';

const google = await startGoogle();
const app = useApp(test, {
  rules: true,
  settings: { ...google.settings, FRONTEND_URL: frontend, PORT: '3456', RATE_LIMIT_IP_PER_MINUTE: '100000' },
});
const { owner } = app.database;
const flow = classroomFlow(app, google);
let tenant: Tenant;
const path = '/api/lms/connections/google_classroom/oauth-start';

test.before.each(async () => {
  tenant = await buildTenant(app);
  Object.assign(google, { declines: false, givesRefreshToken: true, grantsScopes: undefined, tokenError: undefined });
});
test.after(() => google.close());

const admin = () => tenant.people.ADMIN.token;
const connections = () =>
  owner('lms_connection').where({ organizationId: tenant.organizationId }).orderBy('createdAt').orderBy('id');
const codeOf = ({ body }: { body: unknown }) => (body as { code: string }).code;

test('the administrator agrees: an active connection, its token sealed, its first sync in 20 to 24 hours', async () => {
  const reported = await flow.outcome(admin());
  const [row, ...others] = await connections();
  assert.equal([...reported], [['connectionId', row.id]]);
  assert.equal(
    [others, row.status, row.kind, row.connectedBy, row.expiresAt],
    [[], 'active', 'oauth', tenant.people.ADMIN.id, null],
  );
  assert.is(row.credentialsKeyId, app.services.cipher.keyIds[0]);
  assert.ok(row.sealedCredentials.startsWith(`${row.credentialsKeyId}.`));
  const hours = (new Date(row.nextRunAt).getTime() - app.clock.now().getTime()) / 3_600_000;
  assert.ok(hours >= 20 && hours < 24, String(hours));
  assert.equal(await owner('lms_oauth_state').where({ organizationId: tenant.organizationId }), []);
  const entries = await owner('audit_entry')
    .where({ organizationId: tenant.organizationId, entity: 'lms_connection' })
    .orderBy('id');
  assert.equal(
    entries.map(({ action, operation, actorUserId }) => [action, operation, actorUserId]),
    [
      ['insert', 'startLmsOauth', tenant.people.ADMIN.id],
      ['update', 'finishLmsOauth', tenant.people.ADMIN.id],
    ],
  );
});

test('what is asked for: PKCE, a state, to read, for longer than the hour, and guardians only where they are imported', async () => {
  await flow.outcome(admin());
  const asked = Object.fromEntries(google.asked);
  const scope = 'https://www.googleapis.com/auth/classroom.';
  assert.equal(
    [asked.code_challenge_method, asked.access_type, asked.prompt, asked.response_type],
    ['S256', 'offline', 'consent', 'code'],
  );
  assert.is(asked.scope, `openid email ${scope}courses.readonly ${scope}rosters.readonly ${scope}profile.emails`);
});

test('the cookie is bound to the host, out of reach of scripts, for ten minutes', async () => {
  const { lines } = await flow.start(admin());
  assert.match(lines[0] ?? '', /^__Host-lms=[\w-]{43}; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/);
});

test('another browser, a second time, no state, an unknown one and one that expired: 401 STATE_EXPIRED', async () => {
  const departed = await flow.start(admin());
  const url = await flow.back(departed);
  for (const cookie of ['', 'lms=x', departed.cookie.replaceAll('lms=', 'signin=')]) {
    const reply = await flow.finish(url, cookie);
    assert.equal([reply.status, codeOf(reply)], [401, 'STATE_EXPIRED'], cookie);
  }
  assert.is((await flow.finish(url, departed.cookie)).status, 302);
  assert.is((await flow.finish(url, departed.cookie)).status, 401);
  for (const search of ['', '?state=unknown&code=x']) {
    const bare = new URL(url.pathname + search, url);
    assert.is((await flow.finish(bare, departed.cookie)).status, 401, search);
  }
});

test('after ten minutes it is too late', async () => {
  const departed = await flow.start(admin());
  const url = await flow.back(departed);
  app.clock.advance(10 * 60_000);
  assert.is((await flow.finish(url, departed.cookie)).status, 401);
  app.clock.advance(-10 * 60_000);
});

test('a new start takes the place of the one before, whose browser comes too late', async () => {
  const first = await flow.start(admin());
  const url = await flow.back(first);
  await flow.start(admin());
  assert.is((await connections()).length, 1);
  assert.is((await flow.finish(url, first.cookie)).status, 401);
});

test('of two starts at once the second is refused, and keeps nothing', async () => {
  const { organizationId, people } = tenant;
  const holder = await owner.transaction();
  let second: Promise<Reply>;
  try {
    const at = app.clock.now();
    await holder('lms_connection').insert({
      ...{ organizationId, id: newId(), provider: 'google_classroom', kind: 'oauth', status: 'pending' },
      ...{ connectedBy: people.ADMIN.id, createdAt: at, expiresAt: new Date(at.getTime() + 600_000) },
    });
    second = app.post(path, {}, { token: admin() });
    await eventually('the second start waits', async () => (await lockWaits(owner)) > 0);
  } finally {
    await holder.commit();
  }
  const { status, body } = await second;
  const { details } = body as { details: readonly { issue: string }[] };
  assert.equal([status, details.map(({ issue }) => issue)], [409, ['start_under_way']]);
  assert.is((await connections()).length, 1);
  assert.equal(await owner('lms_oauth_state').where({ organizationId }), []);
});

test('a connection that waits can be given up, and its browser comes too late', async () => {
  const departed = await flow.start(admin());
  const [row] = await connections();
  assert.is((await app.delete(`/api/lms/connections/${row.id}`, { token: admin() })).status, 204);
  assert.is((await flow.finish(await flow.back(departed), departed.cookie)).status, 401);
});

const refusals: Readonly<Record<string, readonly [() => unknown, string]>> = {
  declined: [() => Object.assign(google, { declines: true }), 'PERMISSION_DENIED'],
  'a scope missing': [() => Object.assign(google, { grantsScopes: [] }), 'PERMISSION_DENIED'],
  'no lasting token': [() => Object.assign(google, { givesRefreshToken: false }), 'TOKEN_INVALID'],
  'the code refused': [
    () => Object.assign(google, { tokenError: { status: 400, error: 'invalid_grant' } }),
    'TOKEN_INVALID',
  ],
  'the account closed meanwhile': [
    () => owner('app_user').where({ id: tenant.people.ADMIN.id }).update({ status: 'inactive' }),
    'PERMISSION_DENIED',
  ],
};
for (const [what, [arrange, error]] of Object.entries(refusals)) {
  test(`${what}: the wizard hears ${error}, and nothing is connected`, async () => {
    const departed = await flow.start(admin());
    await arrange();
    const reply = await flow.finish(await flow.back(departed), departed.cookie);
    assert.is(reply.headers.get('location'), `${frontend}/lms/wizard?error=${error}`);
    assert.equal(
      (await connections()).map(({ status, sealedCredentials }) => [status, sealedCredentials]),
      [['pending', null]],
    );
  });
}

test('a provider in trouble is 503', async () => {
  const departed = await flow.start(admin());
  const url = await flow.back(departed);
  google.tokenError = { status: 503, error: 'temporarily_unavailable' };
  assert.is((await flow.finish(url, departed.cookie)).status, 503);
});

test('a second connection is refused before and after the way to Google', async () => {
  const departed = await flow.start(admin());
  const url = await flow.back(departed);
  const { organizationId } = tenant;
  const { id: connectedBy } = tenant.people.ADMIN;
  await owner('lms_connection').insert({
    ...{ organizationId, id: 'other', provider: 'google_classroom', kind: 'oauth', status: 'active' },
    ...{ connectedBy, createdAt: app.clock.now() },
  });
  const reply = await flow.finish(url, departed.cookie);
  assert.is(reply.headers.get('location'), `${frontend}/lms/wizard?error=CONFLICT`);
  const again = await app.post<{ code: string; details: { issue: string }[] }>(path, {}, { token: admin() });
  assert.equal([again.status, again.body.details[0]?.issue], [409, 'connection_active']);
});

test('only Google is connected this way, by those who may, for the own organization', async () => {
  const oneroster = '/api/lms/connections/oneroster/oauth-start';
  assert.is((await app.post(oneroster, {}, { token: admin() })).status, 404);
  const moodle = '/api/lms/connections/moodle/oauth-start';
  assert.is((await app.post(moodle, {}, { token: admin() })).status, 404);
  const stranger = await buildTenant(app);
  const elsewhere = { organizationId: stranger.organizationId };
  assert.is((await app.post(path, elsewhere, { token: admin() })).status, 404);
  assert.is((await app.get('/api/lms/connections/oneroster/oauth-callback?state=x')).status, 404);
  assert.is((await app.post(path, {}, { token: tenant.people.TEACHER.token })).status, 403);
});

test.run();
