// The service always keeps an active SUPER administrator.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { buildSuperAdmin, signIn, type UserRow } from '../../../harness/factories.ts';
import { useApp } from '../../../harness/http.ts';
import { codeOf } from '../../../security/support.ts';

const app = useApp(test, { settings: { RATE_LIMIT_USER_PER_MINUTE: '1000000' } });
const { owner } = app.database;

const deactivate = (token: string, { id }: UserRow) => app.post(`/api/users/${id}/deactivate`, undefined, { token });
const activeSupers = async () => (await owner('app_user').where({ scope: 'SUPER', status: 'active' })).length;

test('of two administrators who deactivate each other concurrently one remains, in each of 40 rounds', async () => {
  for (let round = 0; round < 40; round += 1) {
    await owner('app_user').where({ scope: 'SUPER' }).update({ status: 'inactive' });
    const [a, b] = [await buildSuperAdmin(owner), await buildSuperAdmin(owner)];
    const [tokenA, tokenB] = [await signIn(app, a), await signIn(app, b)];
    const replies = await Promise.all([deactivate(tokenA, b), deactivate(tokenB, a)]);
    const wins = replies.filter(({ status }) => status === 200);
    assert.is(wins.length, 1, JSON.stringify(replies.map(({ body }) => body)));
    const refusal = replies.map(codeOf).find((code) => code !== undefined);
    assert.ok(['CONFLICT', 'SESSION_REVOKED'].includes(String(refusal)), refusal);
    assert.is(await activeSupers(), 1);
  }
});

test('of three who deactivate each other in a circle one remains', async () => {
  await owner('app_user').where({ scope: 'SUPER' }).update({ status: 'inactive' });
  const people = [await buildSuperAdmin(owner), await buildSuperAdmin(owner), await buildSuperAdmin(owner)];
  const tokens = await Promise.all(people.map((user) => signIn(app, user)));
  await Promise.all(tokens.map((token, at) => deactivate(token, people[(at + 1) % 3] as UserRow)));
  assert.ok((await activeSupers()) >= 1);
});

test('a deactivated administrator cannot deactivate others: the last one is 409 last_super', async () => {
  await owner('app_user').where({ scope: 'SUPER' }).update({ status: 'inactive' });
  const last = await buildSuperAdmin(owner);
  const token = await signIn(app, last);
  const other = await buildSuperAdmin(owner);
  assert.is((await deactivate(token, other)).status, 200);
  assert.is(codeOf(await deactivate(token, last)), 'CONFLICT');
  assert.is(await activeSupers(), 1);
});

test.run();
