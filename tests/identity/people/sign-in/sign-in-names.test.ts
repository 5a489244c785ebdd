// The table of sign-in addresses stays consistent with the accounts.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { newId } from '#core/platform/ids.ts';
import { password } from '../../../harness/factories.ts';
import { useApp } from '../../../harness/http.ts';
import { buildWorld, type World } from '../../../harness/world.ts';
import { codeOf } from '../../../security/support.ts';

const app = useApp(test, { settings: { RATE_LIMIT_USER_PER_MINUTE: '1000000' } });
const { owner } = app.database;
let world: World;

test.before(async () => {
  world = await buildWorld(app);
});

interface CreatedUser {
  readonly id: number;
}

const createUser = async (email: string, organizationId = world.own.organizationId) => {
  const input = { primaryPersona: 'MANAGER', fullNameAr: 'مدير', email, password, organizationId };
  return app.post<CreatedUser>('/api/users', input, { token: world.superAdmin.token });
};

const login = async (email: string) => (await app.post('/api/auth/login', { email, password })).status;

/** Returns accounts whose address differs from their sign-in address, and sign-in addresses without an account. */
async function inconsistentNames(): Promise<object[]> {
  const { rows } = await owner.raw(`
    select u.id, u.email, n.email as name from app_user u
      full join sign_in_name n on n.organization_id = u.organization_id and n.user_id = u.id
    where lower(u.email) is distinct from n.email`);
  return rows;
}

test('a created, renamed or erased account can sign in only with its current address', async () => {
  const [first, second] = [`${newId()}@example.org`, `${newId()}@example.org`];
  const { id } = (await createUser(first)).body;
  assert.is(await login(first.toUpperCase()), 200);
  const { token } = world.own.people.ADMIN;
  assert.is((await app.patch(`/api/users/${id}`, { email: second }, { token })).status, 200);
  assert.equal([await login(first), await login(second)], [401, 200]);
  assert.is((await createUser(first, world.other.organizationId)).status, 201, 'the old address is free again');
  assert.ok((await app.post(`/api/users/${id}/erasure`, {}, { token })).status < 300);
  assert.is(await login(second), 401);
  assert.equal(await inconsistentNames(), []);
});

test('of two organizations that set one address concurrently, one succeeds', async () => {
  for (let round = 0; round < 5; round++) {
    const email = `${newId()}@example.org`;
    const both = [world.own.organizationId, world.other.organizationId];
    const replies = await Promise.all(both.map((organizationId) => createUser(email, organizationId)));
    assert.equal(replies.map(({ status }) => status).sort(), [201, 409]);
    assert.ok(replies.map(codeOf).includes('EMAIL_EXISTS'));
  }
  assert.equal(await inconsistentNames(), []);
});

test.run();
