// The first SUPER administrator registers without a token; then registration is closed permanently.

import fs from 'node:fs';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { platformOrganizationId } from '#core/platform/pure/platform-organization.ts';
import { buildUser } from '../../../harness/factories.ts';
import { useApp } from '../../../harness/http.ts';
import { buildTenant } from '../../../harness/world.ts';

const app = useApp(test, { fullHashCost: true });
const { owner } = app.database;

const registration = {
  email: 'First.Admin@Example.org',
  password: 'long enough for all',
  fullNameAr: 'المديرة الأولى',
  primaryPersona: 'ADMIN',
};

const register = (body: unknown = registration) => app.post<Record<string, unknown>>('/api/auth/register', body);

async function superAdminCount(): Promise<number> {
  const { rows } = await owner.raw("select count(*) from app_user where scope = 'SUPER'");
  return rows[0].count;
}

/** Restores the state before the first registration. */
async function reopen(): Promise<void> {
  await owner('refresh_token').where({ organizationId: platformOrganizationId }).delete();
  await owner('auth_session').where({ organizationId: platformOrganizationId }).delete();
  await owner('app_user').where({ scope: 'SUPER' }).delete();
}

test.before.each(reopen);

test('the first registration creates a SUPER administrator and signs in', async () => {
  const { status, body } = await register();
  assert.is(status, 201);
  const { user, tokens } = body as { user: Record<string, unknown>; tokens: Record<string, unknown> };
  assert.type(user.id, 'number');
  assert.equal(user, { id: user.id, email: 'first.admin@example.org', primaryPersona: 'ADMIN', organizationId: null });
  assert.equal(Object.keys(tokens).sort(), ['accessToken', 'expiresIn', 'refreshToken', 'tokenType']);
  assert.is(tokens.expiresIn, 900);
  assert.is(tokens.tokenType, 'Bearer');
  const me = await app.get<{ permissions: string[] }>('/api/auth/me', { token: String(tokens.accessToken) });
  assert.ok(me.body.permissions.includes('SUPER_ADMIN'));
});

test('of 20 concurrent registrations exactly one succeeds', async () => {
  const attempts = Array.from({ length: 20 }, (_, index) =>
    register({ ...registration, email: `admin${index}@example.org` }),
  );
  const statuses = (await Promise.all(attempts)).map(({ status }) => status);
  assert.equal(statuses.sort(), [201, ...Array(19).fill(403)]);
  assert.is(await superAdminCount(), 1);
});

test('a later registration is refused with any body', async () => {
  await register();
  for (const bytes of [JSON.stringify(registration), '{}', '{', '[]', JSON.stringify({ organizationId: 'x' })]) {
    const { status, body } = await app.request<{ code: string }>('POST', '/api/auth/register', { bytes });
    assert.is(status, 403, bytes);
    assert.is(body.code, 'PERMISSION_DENIED');
  }
  assert.is(await superAdminCount(), 1);
});

test('registration is open while no SUPER administrator exists, also with demo data', async () => {
  await buildTenant(app, { isDemo: true });
  assert.is((await register()).status, 201);
});

test('the e-mail of an existing user is 409 EMAIL_EXISTS, in any case of letters', async () => {
  const { email } = await buildUser(owner, 'TEACHER');
  const { status, body } = await register({ ...registration, email: String(email).toUpperCase() });
  assert.is(status, 409);
  assert.is(body.code, 'EMAIL_EXISTS');
});

const refused: readonly [string, Record<string, unknown>][] = [
  ['an organizationId', { organizationId: 'aaaaaaaaaaaaaaaaaaaaaaaa' }],
  ['another persona', { primaryPersona: 'TEACHER' }],
  ['no e-mail', { email: undefined }],
  ['an e-mail that is none', { email: 'somebody' }],
  ['a password of 11 characters', { password: 'elevenchars' }],
  ['a password of 129 characters', { password: 'x'.repeat(129) }],
  ['a password that is the e-mail', { password: 'first.admin@example.org' }],
  ['a blank name', { fullNameAr: '  ' }],
];

for (const [what, change] of refused) {
  test(`bootstrap with ${what}: 422, and registration stays open`, async () => {
    const { status, body } = await register({ ...registration, ...change });
    assert.is(status, 422, JSON.stringify(body));
    assert.is(body.code, 'VALIDATION_ERROR');
    assert.is(await superAdminCount(), 0);
  });
}

test('passwords of 12 and of 128 characters are accepted', async () => {
  assert.is((await register({ ...registration, password: 'twelve chars' })).status, 201);
  await reopen();
  assert.is((await register({ ...registration, password: 'ك'.repeat(128) })).status, 201);
});

test('the password is stored as argon2id with the cost that OWASP requires', async () => {
  await register();
  const { passwordHash } = await owner('app_user').where({ scope: 'SUPER' }).first('passwordHash');
  assert.match(passwordHash, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
});

test('no code of the service changes the cost of hashing', () => {
  const changing = ['src', 'workers', 'scripts', 'bench'].flatMap((dir) =>
    fs
      .readdirSync(dir, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && fs.readFileSync(`${dir}/${name}`, 'utf8').includes('setHashCost('))
      .map((name) => `${dir}/${name}`),
  );
  assert.equal(changing, ['src/identity/people/credentials/passwords.ts']);
});

test.run();
