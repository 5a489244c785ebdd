// Recovery of an account whose password no other person may set.

import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { inContext } from '#core/platform/db.ts';
import { platformOrganizationId } from '#core/platform/pure/platform-organization.ts';
import { createRecoveryLink, type RecoveryLink } from '#identity/people/sign-in/recovery.ts';
import { buildSuperAdmin } from '../../../harness/factories.ts';
import { useApp } from '../../../harness/http.ts';
import { codeOf } from '../../../security/support.ts';

const app = useApp(test);
const { owner } = app.database;

async function linkFor(email: string | null): Promise<RecoveryLink | undefined> {
  const input = { email: email ?? '', removeSecondFactor: true };
  return inContext(owner, 'SUPER', (trx) => createRecoveryLink(trx, app.services.config, input, app.clock.now()));
}

const exchange = (code: string) => app.post<{ accessToken: string }>('/api/auth/google/exchange', { code });
const newPassword = 'found my way back';

test('the link signs in once, and its code replaces the lost password once', async () => {
  const user = await buildSuperAdmin(owner);
  const made = await linkFor(user.email);
  if (!made) throw new Error('no link');
  assert.is(new URL(made.link).searchParams.get('code'), made.code);
  const { body } = await exchange(made.code);
  assert.is(codeOf(await exchange(made.code)), 'STATE_EXPIRED');
  const change = (currentPassword: string, input: string) =>
    app.patch('/api/auth/password', { currentPassword, newPassword: input }, { token: body.accessToken });
  assert.is((await change(made.code, newPassword)).status, 204);
  assert.is(codeOf(await change(made.code, 'another new secret')), 'INVALID_CREDENTIALS');
  assert.is((await app.post('/api/auth/login', { email: user.email, password: newPassword })).status, 200);
});

test('a link is valid for 15 minutes or until a newer one; closed and unknown accounts get none', async () => {
  const user = await buildSuperAdmin(owner);
  const [first, second] = [await linkFor(user.email), await linkFor(user.email)];
  assert.is(codeOf(await exchange(first?.code ?? '')), 'STATE_EXPIRED');
  app.clock.advance(15 * 60_000);
  assert.is(codeOf(await exchange(second?.code ?? '')), 'STATE_EXPIRED');
  const closed = await buildSuperAdmin(owner, { status: 'inactive' });
  assert.equal([await linkFor(closed.email), await linkFor('nobody@example.org')], [undefined, undefined]);
});

test('a new address replaces the old one, which no longer signs in', async () => {
  const user = await buildSuperAdmin(owner);
  const { id } = user;
  const taken = await buildSuperAdmin(owner);
  const identity = { provider: 'google', subject: `of-${id}`, byEmail: true, createdAt: app.clock.now() };
  await owner('external_identity').insert({ ...identity, userId: id, organizationId: platformOrganizationId });
  const recover = (email: string | null, newEmail: string) =>
    inContext(owner, 'SUPER', (trx) =>
      createRecoveryLink(
        trx,
        app.services.config,
        { email: email ?? '', newEmail, removeSecondFactor: false },
        app.clock.now(),
      ),
    );
  const refusal = await recover(user.email, taken.email ?? '').then(String, (error: { code: string }) => error.code);
  assert.is(refusal, 'EMAIL_EXISTS');
  assert.ok(await recover(user.email, ' Recovered@Example.org '));
  assert.is((await owner('app_user').where({ id }).first('email')).email, 'recovered@example.org');
  assert.equal(await owner('external_identity').where({ userId: id }), []);
  assert.is(await linkFor(user.email), undefined);
  assert.ok(await linkFor('recovered@example.org'));
});

test('the removal of a second factor by an operator raises an event; without a second factor there is none', async () => {
  const { id, email } = await buildSuperAdmin(owner);
  const recordedEvents = () =>
    owner('security_event').where({ userId: id }).select('kind', 'organizationId', 'addressHash', 'details');
  await linkFor(email);
  assert.equal(await recordedEvents(), []);
  await owner('totp').insert({
    userId: id,
    organizationId: platformOrganizationId,
    encryptedSecret: 'sealed',
    enrolledAt: app.clock.now(),
  });
  await linkFor(email);
  const event = { organizationId: null, addressHash: null, details: { action: 'forgotten' } };
  assert.equal(await recordedEvents(), [{ kind: 'second_factor', ...event }]);
});

test.run();
