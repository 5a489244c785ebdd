// Enrolling a second factor requires the password: a stolen token does not suffice.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { inContext } from '#core/platform/db.ts';
import { openSession } from '#identity/people/auth-sessions/auth-sessions.ts';
import {
  buildSuperAdmin,
  buildUser,
  password,
  passwordHash,
  signIn,
  type UserRow,
} from '../../../harness/factories.ts';
import { useApp } from '../../../harness/http.ts';
import { codeOf, noGeneralLimits } from '../../../security/support.ts';

const app = useApp(test, { settings: noGeneralLimits });
const { owner, app: runtime } = app.database;
const enroll = (token: string, body: object) => app.post('/api/auth/totp/enroll', body, { token });
const administrator = async () => buildSuperAdmin(owner, { passwordHash: await passwordHash() });

test('a missing or wrong password is refused and counts as a failed login', async () => {
  const user = await administrator();
  const token = await signIn(app, user);
  for (const body of [{}, { password: 'wrong' }, { password: 'wrong' }, {}, { password: 'wrong' }]) {
    const reply = await enroll(token, body);
    assert.equal([reply.status, codeOf(reply)], [401, 'INVALID_CREDENTIALS']);
  }
  assert.is(codeOf(await enroll(token, { password })), 'BRUTE_FORCE_LOCKED');
  assert.is(codeOf(await app.post('/api/auth/login', { email: user.email, password })), 'BRUTE_FORCE_LOCKED');
  assert.equal(await owner('totp').where({ userId: user.id }), []);
});

test('the password enrolls; personas other than ADMIN are refused before it is checked', async () => {
  const token = await signIn(app, await administrator());
  assert.is((await enroll(token, { password })).status, 200);
  const teacher = await signIn(app, await buildUser(owner, 'TEACHER'));
  assert.equal((await enroll(teacher, {})).status, 403);
});

const openedBy = async ({ id, organizationId }: UserRow, opener: 'google' | 'other') =>
  (
    await inContext(runtime, 'SUPER', (trx) =>
      openSession(trx, app.services.tokens, { id, organizationId }, app.clock.now(), { openedBy: opener }),
    )
  ).accessToken;

test('a session that Google opened within five minutes needs no password, an older one does', async () => {
  const user = await administrator();
  const token = await openedBy(user, 'google');
  app.clock.advance(5 * 60_000 - 1);
  assert.is((await enroll(token, {})).status, 200);
  app.clock.advance(1);
  assert.is(codeOf(await enroll(token, {})), 'INVALID_CREDENTIALS');
  assert.is(codeOf(await enroll(await openedBy(user, 'other'), {})), 'INVALID_CREDENTIALS');
});

test.run();
