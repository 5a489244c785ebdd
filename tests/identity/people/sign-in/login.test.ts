// Sign-in with e-mail address and password.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { buildUser, password, passwordHash, type UserRow } from '../../../harness/factories.ts';
import { useApp } from '../../../harness/http.ts';

const app = useApp(test);
const { owner } = app.database;

interface Tokens {
  readonly accessToken: string;
}

const login = (email: unknown, tried: unknown = password) =>
  app.post<Tokens & { code: string }>('/api/auth/login', { email, password: tried });

const person = async (overrides: object = {}): Promise<UserRow> =>
  buildUser(owner, 'TEACHER', { passwordHash: await passwordHash(), ...overrides });

test('the right password opens a session', async () => {
  const { id, email } = await person();
  const { status, body } = await login(email);
  assert.is(status, 200);
  assert.equal(Object.keys(body).sort(), ['accessToken', 'expiresIn', 'refreshToken', 'tokenType']);
  const me = await app.get<{ id: number }>('/api/auth/me', { token: body.accessToken });
  assert.is(me.body.id, id);
});

test('case and outer blanks of the e-mail do not matter', async () => {
  const { email } = await person();
  assert.is((await login(`  ${String(email).toUpperCase()} `)).status, 200);
});

test('an unknown e-mail, a wrong password and a closed account get identical responses', async () => {
  const known = await login((await person()).email, 'not the password');
  assert.is(known.status, 401);
  assert.is(known.body.code, 'INVALID_CREDENTIALS');
  const others = [
    await login('nobody@example.org'),
    await login((await person({ status: 'inactive' })).email),
    await login((await person({ status: 'deleted' })).email),
    await login((await person({ passwordHash: null })).email, 'anything at all'),
  ];
  for (const { status, body } of others) assert.equal({ status, body }, { status: known.status, body: known.body });
});

test('every login is a session of its own', async () => {
  const { id, email } = await person();
  await Promise.all([login(email), login(email)]);
  const sessions = await owner('auth_session').where({ userId: id });
  assert.is(sessions.length, 2);
});

for (const body of [
  {},
  { email: 'a@b.co' },
  { password: 'x' },
  { email: 1, password: 'x' },
  { email: '', password: '' },
]) {
  test(`${JSON.stringify(body)} is 422`, async () => {
    assert.is((await app.post('/api/auth/login', body)).status, 422);
  });
}

test.run();
