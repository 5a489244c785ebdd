// timeout: 300s
// A lockout leaves one security event when it begins, in each window and for each endpoint that counts in it.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import * as attempts from '#identity/people/attempts/attempts.ts';
import { buildUser, password, passwordHash, signIn, type UserRow } from '../../harness/factories.ts';
import { useApp } from '../../harness/http.ts';
import { from, inParallel, noGeneralLimits } from '../support.ts';

const app = useApp(test, { settings: noGeneralLimits });
const { owner } = app.database;
const minuteMs = 60_000;
let user: UserRow;
let child: UserRow;
let nextAddress = 1;
const freshAddress = () => `198.51.100.${nextAddress++}`;

test.before.each(async () => {
  user = await buildUser(owner, 'ADMIN', { passwordHash: await passwordHash() });
  child = await buildUser(owner, 'STUDENT', { organizationId: user.organizationId });
});

/** Returns window, account, organization and time of the events of this kind and address, oldest first. */
async function locks(address: string, kind = 'lockout') {
  const where = { kind, addressHash: app.services.addressHash(address) };
  const rows = await owner('security_event').where(where).orderBy('id');
  return rows.map(({ details, userId, organizationId, at }) => [
    details,
    userId,
    organizationId,
    new Date(at).toISOString(),
  ]);
}

const login = (email: string | null, address: string, tried = 'wrong') =>
  app.post('/api/auth/login', { email, password: tried }, { headers: from(address) });
const device = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const tryCode = (address: string, n: number) => {
  const headers = { ...from(address), 'x-device-id': device(n) };
  return app.post('/api/auth/quickcode', { quickCode: '22222222' }, { headers });
};
const now = () => app.clock.now().toISOString();

const guessJoinCode = async (address: string) =>
  app.post(
    '/api/sync/sessions/join',
    { joinCode: '000000' },
    { token: await signIn(app, child), headers: from(address) },
  );

/** For each rule: more simultaneous failures than the window allows, and the account of its one event. */
const windows = {
  loginByEmail: {
    rule: attempts.loginByEmail,
    overfill: (address: string) => inParallel(12, () => login(user.email, address)),
    account: () => [user.id, user.organizationId],
  },
  loginByAddress: {
    rule: attempts.loginByAddress,
    overfill: (address: string) => inParallel(60, (n) => login(`spray${n}@example.org`, address)),
    account: () => [null, null],
  },
  quickCodeByDevice: {
    rule: attempts.quickCodeByDevice,
    overfill: (address: string) => inParallel(20, () => tryCode(address, 1)),
    account: () => [null, null],
  },
  quickCodeByAddress: {
    rule: attempts.quickCodeByAddress,
    overfill: (address: string) => inParallel(120, (n) => tryCode(address, n)),
    account: () => [null, null],
  },
  joinCodeByStudent: {
    rule: attempts.joinCodeByStudent,
    overfill: (address: string) => inParallel(15, () => guessJoinCode(address)),
    account: () => [child.id, child.organizationId],
  },
} as const;

/** Windows by network allow ten times the failures; tests/security/limits/networks.test.ts covers their events. */
const ofNetworks = ['loginByNetwork', 'quickCodeByNetwork'];

test('every attempt limit has a case', () => {
  const rules = Object.entries(attempts).filter(([, value]) => typeof value === 'object' && 'maxFailures' in value);
  assert.equal([...Object.keys(windows), ...ofNetworks].sort(), rules.map(([name]) => name).sort());
});

for (const [name, { rule, overfill, account }] of Object.entries(windows)) {
  const { kind: window, event: kind } = rule;
  test(`${name}: one event for one lock, however many tries are refused, and one more for the next`, async () => {
    const address = freshAddress();
    const lock = () => [{ window }, ...account(), now()];
    await overfill(address);
    const first = lock();
    assert.equal(await locks(address, kind), [first]);
    app.clock.advance(15 * minuteMs - 1);
    await overfill(address);
    assert.equal(await locks(address, kind), [first], 'refused while it lasts');
    app.clock.advance(1);
    await overfill(address);
    assert.equal(await locks(address, kind), [first, lock()], 'the next one');
  });
}

test('an unknown address locks too, without an account; one failure less leaves no event', async () => {
  const [full, almost] = [freshAddress(), freshAddress()];
  for (let time = 0; time < 5; time++) await login('nobody@example.org', full);
  for (let time = 0; time < 4; time++) await login('somebody@example.org', almost);
  assert.equal(await locks(full), [[{ window: 'login_email' }, null, null, now()]]);
  assert.equal(await locks(almost), []);
});

test('the event of a closed account names it', async () => {
  const address = freshAddress();
  await owner('app_user').where({ id: user.id }).update({ status: 'inactive' });
  for (let time = 0; time < 5; time++) await login(user.email, address, password);
  assert.equal(await locks(address), [[{ window: 'login_email' }, user.id, user.organizationId, now()]]);
});

test('guesses of the own password with a token lock like those of a login; the right password in the last attempt does not', async () => {
  const address = freshAddress();
  const token = await signIn(app, user);
  const change = (currentPassword: string) =>
    app.patch('/api/auth/password', { currentPassword, newPassword: password }, { token, headers: from(address) });
  for (let time = 0; time < 4; time++) assert.is((await change('wrong')).status, 401);
  assert.is((await change(password)).status, 204);
  assert.equal(await locks(address), []);
  for (let time = 0; time < 8; time++) assert.is((await change('wrong')).status, 401);
  assert.equal(await locks(address), [[{ window: 'login_email' }, user.id, user.organizationId, now()]]);
});

test('no event contains an e-mail address or client address', async () => {
  const address = freshAddress();
  for (let time = 0; time < 5; time++) await login(user.email, address);
  assert.is((await locks(address)).length, 1);
  const rows = JSON.stringify(await owner('security_event').select('*'));
  for (const text of [user.email ?? '', '@', address]) assert.not.ok(rows.includes(text), text);
});

test.run();
