// With a second factor in use, Google sign-in and recovery links require it too.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inContext } from '#core/platform/db.ts';
import { createRecoveryLink } from '#identity/people/sign-in/recovery.ts';
import { buildSuperAdmin, password, passwordHash, signIn, type UserRow } from '../../harness/factories.ts';
import { useApp } from '../../harness/http.ts';
import { codeAt } from '../../identity/people/second-factor/totp-codes.ts';
import { codeOf, inParallel, noGeneralLimits } from '../support.ts';
import { googleFlow, verified } from './google-flow.ts';
import { googleSettings, startProvider } from './provider.ts';

const provider = await startProvider();
const test = suite('second factor at the exchange');
const app = useApp(test, { settings: { ...noGeneralLimits, ...googleSettings(provider) } });
test.after(() => provider.close());
const { owner } = app.database;
const flow = googleFlow(app, provider);

interface Enrolled {
  readonly user: UserRow;
  readonly secret: string;
  readonly recoveryCodes: readonly string[];
}

async function enrolled(): Promise<Enrolled> {
  const user = await buildSuperAdmin(owner, { passwordHash: await passwordHash() });
  const token = await signIn(app, user);
  const { body } = await app.post<{ secret: string }>('/api/auth/totp/enroll', { password }, { token });
  const code = codeAt(body.secret, app.clock.now());
  const confirmed = await app.post<{ recoveryCodes: string[] }>('/api/auth/totp/confirm', { code }, { token });
  app.clock.advance(90_000);
  return { user, secret: body.secret, recoveryCodes: confirmed.body.recoveryCodes };
}

let subjects = 0;
const byGoogle = async ({ user }: Enrolled): Promise<string> => {
  subjects += 1;
  await owner('external_identity').where({ userId: user.id }).delete();
  provider.people.set(`factor-${subjects}`, verified(user.email));
  return (await flow.outcome(`factor-${subjects}`)).get('code') ?? '';
};
const byLink = async ({ user }: Enrolled): Promise<string> => {
  const input = { email: user.email ?? '', removeSecondFactor: false };
  const made = await inContext(owner, 'SUPER', (trx) =>
    createRecoveryLink(trx, app.services.config, input, app.clock.now()),
  );
  return made?.code ?? '';
};
const exchange = (code: string, totp?: string) =>
  app.post<{ accessToken: string }>('/api/auth/google/exchange', { code, ...(totp !== undefined && { totp }) });
const sessionOf = ({ user }: Enrolled) =>
  owner('auth_session').where({ userId: user.id }).orderBy('createdAt', 'desc').first();

for (const [name, codeOfWay, opener] of [
  ['Google', byGoogle, 'google'],
  ['a recovery link', byLink, 'other'],
] as const) {
  test(`${name}: required, the code stays valid meanwhile, and the session counts as verified`, async () => {
    const person = await enrolled();
    const code = await codeOfWay(person);
    const asked = await exchange(code);
    assert.equal([asked.status, codeOf(asked)], [401, 'SECOND_FACTOR_REQUIRED']);
    assert.is(codeOf(await exchange(code, '000000')), 'SECOND_FACTOR_REQUIRED');
    const shown = await exchange(code, codeAt(person.secret, app.clock.now()));
    assert.is(shown.status, 200, JSON.stringify(shown.body));
    assert.is(codeOf(await exchange(code)), 'STATE_EXPIRED');
    const session = await sessionOf(person);
    assert.equal([session.secondFactor, session.openedBy], [true, opener]);
  });

  test(`${name}: from then on the code is valid for five minutes`, async () => {
    const person = await enrolled();
    const code = await codeOfWay(person);
    await exchange(code);
    app.clock.advance(4 * 60_000);
    assert.is(
      codeOf(await exchange(code)),
      'SECOND_FACTOR_REQUIRED',
      'a repeated request does not extend its validity',
    );
    app.clock.advance(60_000);
    assert.is(codeOf(await exchange(code, codeAt(person.secret, app.clock.now()))), 'STATE_EXPIRED');
  });

  test(`${name}: five wrong factors spend the code and lock as wrong logins do`, async () => {
    const person = await enrolled();
    const code = await codeOfWay(person);
    for (let tries = 0; tries < 5; tries += 1)
      assert.is(codeOf(await exchange(code, '000000')), 'SECOND_FACTOR_REQUIRED', String(tries));
    assert.is(codeOf(await exchange(code, codeAt(person.secret, app.clock.now()))), 'STATE_EXPIRED');
    const next = await codeOfWay(person);
    assert.is(codeOf(await exchange(next, codeAt(person.secret, app.clock.now()))), 'BRUTE_FORCE_LOCKED');
    app.clock.advance(15 * 60_000);
    const later = await codeOfWay(person);
    assert.is((await exchange(later, person.recoveryCodes[0])).status, 200, 'a recovery code will do');
  });
}

test('one code in simultaneous requests opens one session', async () => {
  const person = await enrolled();
  const code = await byGoogle(person);
  const totp = codeAt(person.secret, app.clock.now());
  const replies = await inParallel(8, () => exchange(code, totp));
  assert.is(replies.filter(({ status }) => status === 200).length, 1);
});

test('without a second factor in use none is required, whatever is sent', async () => {
  const user = await buildSuperAdmin(owner);
  const person = { user, secret: '', recoveryCodes: [] };
  assert.is((await exchange(await byGoogle(person), '123456')).status, 200);
  assert.is((await sessionOf(person)).secondFactor, false);
});

test.run();
