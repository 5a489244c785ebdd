// timeout: 180s
// Every kind of security event: the HTTP action that causes it leaves exactly one event.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { type SecurityEventKind, securityEventKinds } from '#identity/security-events/kinds.ts';
import { buildStudent, buildUser, openSessionOf, password, passwordHash } from '../../harness/factories.ts';
import { useApp } from '../../harness/http.ts';
import { buildWorld, type World } from '../../harness/world.ts';
import { codeOf, from, noGeneralLimits } from '../support.ts';

const app = useApp(test, { settings: noGeneralLimits });
const { owner } = app.database;
const address = '203.0.113.77';
const headers = from(address);
let world: World;

test.before(async () => {
  world = await buildWorld(app);
});

interface Caused {
  readonly userId: number | null;
  readonly organizationId: string | null;
  readonly details: object;
}

const inOwn = (userId: number, details: object): Caused => ({
  userId,
  organizationId: world.own.organizationId,
  details,
});
const refused = { status: 403, code: 'PERMISSION_DENIED' };

const actions: Readonly<Record<SecurityEventKind, () => Promise<Caused>>> = {
  async refresh_reuse() {
    const { PARENT } = world.own.people;
    const { refreshToken } = await openSessionOf(app, PARENT);
    for (const status of [200, 401]) {
      assert.is((await app.post('/api/auth/refresh', { refreshToken }, { headers })).status, status);
    }
    const session = await owner('auth_session').where({ userId: PARENT.id, revokedReason: 'refresh_reuse' }).first();
    return inOwn(PARENT.id, { sessionId: session.id });
  },
  async lockout() {
    const { organizationId } = world.own;
    const user = await buildUser(owner, 'TEACHER', { organizationId, passwordHash: await passwordHash() });
    for (const wrong of ['1', '2', '3', '4', '5']) {
      await app.post('/api/auth/login', { email: user.email, password: wrong }, { headers });
    }
    const locked = await app.post('/api/auth/login', { email: user.email, password }, { headers });
    assert.is(codeOf(locked), 'BRUTE_FORCE_LOCKED');
    return inOwn(user.id, { window: 'login_email' });
  },
  async code_limit() {
    const tryCode = () => app.post('/api/auth/quickcode', { quickCode: '22222222' }, { headers });
    for (let wrong = 0; wrong < 10; wrong++) assert.is(codeOf(await tryCode()), 'QUICKCODE_INVALID_OR_EXPIRED');
    assert.is(codeOf(await tryCode()), 'QUICKCODE_RATE_LIMIT');
    return { userId: null, organizationId: null, details: { window: 'quick_code_device' } };
  },
  async permission_denied() {
    const { id, token } = world.own.people.TEACHER;
    const reply = await app.get('/api/users', { token, headers });
    assert.equal({ status: reply.status, code: codeOf(reply) }, refused);
    return inOwn(id, { operation: 'listUsers' });
  },
  async data_export() {
    const { ADMIN, STUDENT } = world.own.people;
    const reply = await app.get(`/api/students/${STUDENT.id}/data-export`, { token: ADMIN.token, headers });
    assert.is(reply.status, 200);
    return inOwn(ADMIN.id, { studentId: STUDENT.id });
  },
  async erasure() {
    const { ADMIN } = world.own.people;
    const { id } = await buildStudent(owner, world.own.classRow);
    const reply = await app.post(`/api/students/${id}/erasure`, undefined, { token: ADMIN.token, headers });
    assert.is(reply.status, 200);
    return inOwn(ADMIN.id, { studentId: id });
  },
  async password_set() {
    const { ADMIN, MANAGER } = world.own.people;
    const body = { password: 'violet-harbour-5521' };
    assert.is((await app.patch(`/api/users/${MANAGER.id}`, body, { token: ADMIN.token, headers })).status, 200);
    return inOwn(ADMIN.id, { subjectId: MANAGER.id });
  },
  async second_factor() {
    const { id, token } = world.own.people.ADMIN;
    await owner('app_user')
      .where({ id })
      .update({ passwordHash: await passwordHash() });
    assert.is((await app.post('/api/auth/totp/enroll', { password }, { token, headers })).status, 200);
    return inOwn(id, { action: 'enrolled' });
  },
  async approval_refused() {
    const { id, token } = world.own.people.ADMIN;
    const path = '/api/admin/rule-changes/any/approve';
    const reply = await app.post(path, { sha256: 'f'.repeat(64) }, { token, headers });
    assert.equal({ status: reply.status, code: codeOf(reply) }, refused);
    return inOwn(id, { operation: 'approveRuleChange' });
  },
};

interface Listed extends Caused {
  readonly id: number;
  readonly kind: string;
  readonly addressHash: string | null;
  readonly at: string;
}

async function listEvents(token: string, query = ''): Promise<Listed[]> {
  await app.services.securityEvents.settled();
  const reply = await app.get<{ items: Listed[] }>(`/api/admin/security-events?limit=100${query}`, { token });
  assert.is(reply.status, 200, JSON.stringify(reply.body));
  return reply.body.items;
}

test('the actions cover exactly all kinds', () => {
  assert.equal(Object.keys(actions).sort(), [...securityEventKinds].sort());
});

for (const kind of securityEventKinds) {
  test(`${kind}: its action leaves exactly this event, for its readers`, async () => {
    const { superAdmin, own, other } = world;
    const before = new Set((await listEvents(superAdmin.token)).map(({ id }) => id));
    const caused = await actions[kind]();
    const fresh = (await listEvents(superAdmin.token)).filter(({ id }) => !before.has(id));
    const listed = fresh.map(({ id: _id, ...event }) => event);
    const at = app.clock.now().toISOString();
    assert.equal(listed, [{ kind, ...caused, addressHash: app.services.addressHash(address), at }]);
    const seenBy = async (token: string) =>
      (await listEvents(token, `&kind=${kind}`)).some(({ id }) => id === fresh[0]?.id);
    assert.is(await seenBy(own.people.ADMIN.token), caused.organizationId === own.organizationId);
    assert.is(await seenBy(other.people.ADMIN.token), false);
  });
}

test.run();
