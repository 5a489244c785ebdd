// timeout: 300s
// The second factor: standard codes, single use, required at every login and, in production, of every SUPER administrator.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { stepOfCode } from '#identity/people/second-factor/totp.ts';
import {
  buildSuperAdmin,
  buildUser,
  password,
  passwordHash,
  signIn,
  type UserRow,
} from '../../../harness/factories.ts';
import { type TestApp, useApp } from '../../../harness/http.ts';
import { codeOf, inParallel, noGeneralLimits, tally } from '../../../security/support.ts';
import { codeAt } from './totp-codes.ts';

/** RFC 6238, appendix B: seconds since 1970 and the SHA-1 code, whose last six digits are the six-digit code. */
const vectors = [
  [59, '94287082'],
  [1111111109, '07081804'],
  [1111111111, '14050471'],
  [1234567890, '89005924'],
  [2000000000, '69279037'],
  [20000000000, '65353130'],
] as const;
const rfcSecret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

const rfc = suite('RFC 6238');

for (const [seconds, code] of vectors) {
  rfc(`${seconds} s: ${code.slice(2)}, one step early and late, not two`, () => {
    const step = Math.floor(seconds / 30);
    const at = (shift: number) => stepOfCode(rfcSecret, code.slice(2), new Date((step + shift) * 30_000));
    assert.equal([at(-1), at(0), at(1)], [step, step, step]);
    assert.equal([at(-2), at(2)], [undefined, undefined]);
  });
}

rfc.run();

interface Enrolled {
  readonly user: UserRow;
  readonly token: string;
  readonly secret: string;
  readonly recoveryCodes: string[];
}

async function enrolled(app: TestApp, kind: 'SUPER' | 'ADMIN' = 'SUPER'): Promise<Enrolled> {
  const hash = { passwordHash: await passwordHash() };
  const { owner } = app.database;
  const user = kind === 'SUPER' ? await buildSuperAdmin(owner, hash) : await buildUser(owner, 'ADMIN', hash);
  const token = await signIn(app, user);
  const begun = await app.post<{ secret: string }>('/api/auth/totp/enroll', { password }, { token });
  assert.is(begun.status, 200, JSON.stringify(begun.body));
  const { secret } = begun.body;
  const code = codeAt(secret, app.clock.now());
  const confirmed = await app.post<{ recoveryCodes: string[] }>('/api/auth/totp/confirm', { code }, { token });
  assert.is(confirmed.status, 200, JSON.stringify(confirmed.body));
  app.clock.advance(90_000);
  return { user, token, secret, recoveryCodes: confirmed.body.recoveryCodes };
}

const factor = suite('second factor');
const app = useApp(factor, { settings: noGeneralLimits });
const { owner } = app.database;
const login = ({ email }: UserRow, more: object = {}) => app.post('/api/auth/login', { email, password, ...more });
const now = (secret: string, shift = 0) => codeAt(secret, app.clock.now(), shift);

factor('enroll, confirm, sign in with a code, disable with password and code', async () => {
  const { user, secret, recoveryCodes } = await enrolled(app);
  assert.is(new Set(recoveryCodes).size, 10);
  assert.is((await login(user)).status, 401);
  const reply = await login(user, { totp: now(secret) });
  assert.is(reply.status, 200, JSON.stringify(reply.body));
  const token = (reply.body as { accessToken: string }).accessToken;
  const disable = (body: object) => app.post('/api/auth/totp/disable', body, { token });
  assert.is(codeOf(await disable({ password: 'wrong', code: now(secret, 1) })), 'INVALID_CREDENTIALS');
  assert.is(codeOf(await disable({ password, code: '000000' })), 'SECOND_FACTOR_REQUIRED');
  assert.is((await disable({ password, code: now(secret, 1) })).status, 204);
  assert.is((await login(user)).status, 200);
  assert.is(codeOf(await disable({ password, code: now(secret) })), 'CONFLICT');
});

factor(
  'an enrolled secret that is not confirmed changes nothing at the login; a wrong first code confirms nothing',
  async () => {
    const user = await buildUser(owner, 'ADMIN', { passwordHash: await passwordHash() });
    const token = await signIn(app, user);
    const confirm = (code: string) => app.post('/api/auth/totp/confirm', { code }, { token });
    assert.is((await confirm('123456')).status, 409);
    const { body } = await app.post<{ secret: string; otpauthUrl: string }>(
      '/api/auth/totp/enroll',
      { password },
      {
        token,
      },
    );
    assert.match(body.otpauthUrl, /^otpauth:\/\/totp\//);
    assert.match(body.otpauthUrl, body.secret);
    assert.is((await confirm(now(body.secret) === '000000' ? '000001' : '000000')).status, 422);
    assert.is((await login(user)).status, 200);
    assert.is((await confirm(now(body.secret))).status, 200);
    assert.is((await app.post('/api/auth/totp/enroll', { password }, { token })).status, 409);
  },
);

factor('after a right password only: a wrong one is INVALID_CREDENTIALS with or without a code', async () => {
  const { user, secret } = await enrolled(app);
  assert.is(codeOf(await login(user)), 'SECOND_FACTOR_REQUIRED');
  assert.is(codeOf(await login(user, { password: 'wrong' })), 'INVALID_CREDENTIALS');
  assert.is(codeOf(await login(user, { password: 'wrong', totp: now(secret) })), 'INVALID_CREDENTIALS');
  assert.is((await login(user, { totp: now(secret) })).status, 200, 'the code was not spent by a wrong password');
});

factor('a code is spent once, also by many at the same moment; one step early and late count', async () => {
  const { user, secret } = await enrolled(app);
  const code = now(secret);
  const replies = await inParallel(4, () => login(user, { totp: code }));
  assert.is(tally(replies)['200'], 1, JSON.stringify(tally(replies)));
  assert.is((await login(user, { totp: now(secret, 1) })).status, 200);
  assert.is((await login(user, { totp: now(secret, -1) })).status, 200);
  assert.is(codeOf(await login(user, { totp: now(secret, 2) })), 'SECOND_FACTOR_REQUIRED');
  assert.is(codeOf(await login(user, { totp: now(secret, -2) })), 'SECOND_FACTOR_REQUIRED');
});

factor('the code of the confirmation is spent too', async () => {
  const user = await buildUser(owner, 'ADMIN', { passwordHash: await passwordHash() });
  const token = await signIn(app, user);
  const { body } = await app.post<{ secret: string }>('/api/auth/totp/enroll', { password }, { token });
  const code = now(body.secret);
  await app.post('/api/auth/totp/confirm', { code }, { token });
  assert.is(codeOf(await login(user, { totp: code })), 'SECOND_FACTOR_REQUIRED');
});

factor('a recovery code works once, in any writing, also for many at the same moment', async () => {
  const { user, recoveryCodes } = await enrolled(app);
  const [first = '', second = ''] = recoveryCodes;
  const replies = await inParallel(4, () => login(user, { totp: first }));
  assert.is(tally(replies)['200'], 1, JSON.stringify(tally(replies)));
  assert.is((await login(user, { totp: ` ${second.toUpperCase().replace('-', '')} ` })).status, 200);
});

factor('wrong codes lock like wrong passwords, and a login without a code does not clear them', async () => {
  const { user, secret } = await enrolled(app);
  for (let at = 0; at < 4; at += 1) {
    assert.is(codeOf(await login(user, { totp: now(secret, 40 + at) })), 'SECOND_FACTOR_REQUIRED');
    assert.is(codeOf(await login(user)), 'SECOND_FACTOR_REQUIRED', 'a missing code is no failure');
  }
  assert.is(codeOf(await login(user, { totp: now(secret, 50) })), 'SECOND_FACTOR_REQUIRED');
  assert.is(codeOf(await login(user, { totp: now(secret) })), 'BRUTE_FORCE_LOCKED');
});

/** Returns the security events about the account as an administrator reads them, oldest first. */
async function changesOf({ id }: UserRow): Promise<unknown[]> {
  const rows = await owner('security_event').where({ kind: 'second_factor', userId: id }).orderBy('id');
  return rows.map(({ details }) => details.action);
}

factor(
  'every change raises an event, also the use of a recovery code; used and wrong codes and refusals raise none',
  async () => {
    const { user, secret, recoveryCodes } = await enrolled(app);
    const [first = '', second = '', third = ''] = recoveryCodes;
    await login(user, { totp: first });
    await login(user, { totp: first });
    await login(user, { password: 'wrong', totp: second });
    await login(user, { totp: now(secret, 40) });
    const { body } = await app.post<{ accessToken: string }>('/api/auth/login', {
      email: user.email,
      password,
      totp: now(secret),
    });
    const token = body.accessToken;
    const used = ['enrolled', 'confirmed', 'recovery_code_used'];
    assert.equal(await changesOf(user), used);
    assert.is((await app.post('/api/auth/totp/enroll', { password }, { token })).status, 409);
    assert.is((await app.post('/api/auth/totp/disable', { password, code: first }, { token })).status, 401);
    assert.equal(await changesOf(user), used);
    assert.is((await app.post('/api/auth/totp/disable', { password, code: third }, { token })).status, 204);
    assert.equal(await changesOf(user), [...used, 'recovery_code_used', 'disabled']);
  },
);

factor('wrong codes that lock the account leave the event of a lockout', async () => {
  const { user, secret } = await enrolled(app, 'ADMIN');
  for (let at = 0; at < 7; at += 1) await login(user, { totp: now(secret, 40 + at) });
  const rows = await owner('security_event').where({ kind: 'lockout', userId: user.id });
  assert.equal(
    rows.map(({ details, organizationId }) => [details, organizationId]),
    [[{ window: 'login_email' }, user.organizationId]],
  );
});

factor('guesses while giving it up lock the account once and leave one event', async () => {
  const { user, token } = await enrolled(app, 'ADMIN');
  const disable = () => app.post('/api/auth/totp/disable', { password: 'wrong', code: '000000' }, { token });
  for (let at = 0; at < 7; at += 1) assert.is((await disable()).status, 401);
  assert.is((await owner('security_event').where({ kind: 'lockout', userId: user.id })).length, 1);
});

factor('others than administrators have none', async () => {
  for (const persona of ['TEACHER', 'PARENT', 'PRINCIPAL', 'MANAGER', 'STUDENT'] as const) {
    const token = await signIn(app, await buildUser(owner, persona));
    const reply = await app.post('/api/auth/totp/enroll', { password }, { token });
    assert.equal([reply.status, codeOf(reply)], [403, 'PERMISSION_DENIED'], persona);
  }
});

factor('secret and recovery codes are not in the database', async () => {
  const { secret, recoveryCodes } = await enrolled(app, 'ADMIN');
  const tables = ['totp', 'totp_spent_code', 'totp_recovery_code', 'audit_entry'];
  const rows = JSON.stringify(await Promise.all(tables.map((table) => owner(table).select('*'))));
  for (const text of [secret, ...recoveryCodes]) assert.not.match(rows, text);
});

factor('a code and a recovery code are read with the digits of any script, without blanks and hyphens', async () => {
  const { user, secret, recoveryCodes } = await enrolled(app);
  const typed = [...now(secret)].map((digit, at) =>
    String.fromCodePoint(([0x660, 0x6f0, 0x966][at % 3] ?? 0) + Number(digit)),
  );
  assert.is(
    (await login(user, { totp: `\u200f${typed.slice(0, 3).join('')} ${typed.slice(3).join('')}` })).status,
    200,
  );
  const recovery = [...(recoveryCodes[0] ?? '')].map((letter) =>
    /\d/.test(letter) ? String.fromCodePoint(0x660 + Number(letter)) : letter,
  );
  assert.is((await login(user, { totp: recovery.join('').toUpperCase().replace('-', ' – ') })).status, 200);
  assert.is(codeOf(await login(user, { totp: recoveryCodes[0] })), 'SECOND_FACTOR_REQUIRED', 'spent');
});

factor.run();

const production = suite('rules in production');
const live = useApp(production, {
  settings: {
    ...noGeneralLimits,
    NODE_ENV: 'production',
    TOKEN_SIGNING_KEY: 'unused',
    TOKEN_ENCRYPTION_KEY: 'unused',
    IP_HASH_SALT: 'sixteen characters and more',
  },
});
const change = { title: 'A change' };
const changes = '/api/admin/rule-changes';

async function asked(token: string): Promise<string | undefined> {
  const publish = await live.post<{ details?: { issue: string }[] }>(changes, change, { token });
  const approve = await live.post<{ details?: { issue: string }[] }>(`${changes}/x/approve`, {}, { token });
  assert.is(publish.status === 403, approve.status === 403, 'publishing and approving are refused alike');
  assert.is(publish.body.details?.[0]?.issue, publish.status === 403 ? 'second_factor_required' : undefined);
  return publish.status === 403 ? codeOf(publish) : undefined;
}

production('without it a SUPER signs in, and holds no permission', async () => {
  const token = await signIn(live, await buildSuperAdmin(live.database.owner));
  assert.is(await asked(token), 'PERMISSION_DENIED');
  assert.is((await live.get('/api/admin/rule-sets', { token })).status, 403);
  const me = await live.get<{ permissions: string[] }>('/api/auth/me', { token });
  assert.equal([me.status, me.body.permissions], [200, []]);
});

production('with it the session that has shown it may; another one, by Google or a link, may not', async () => {
  const { user, token, secret } = await enrolled(live);
  assert.is(await asked(token), undefined, 'it was confirmed in this session');
  assert.is(await asked(await signIn(live, user)), 'PERMISSION_DENIED');
  const totp = codeAt(secret, live.clock.now());
  const { body } = await live.post<{ accessToken: string; refreshToken: string }>('/api/auth/login', {
    email: user.email,
    password,
    totp,
  });
  assert.is(await asked(body.accessToken), undefined);
  const { refreshToken } = body;
  const next = await live.post<{ accessToken: string }>('/api/auth/refresh', { refreshToken });
  assert.is(await asked(next.body.accessToken), undefined, 'a refreshed session is the same session');
});

production.run();
