// An administrator can find out twenty times an hour whether an address has an account elsewhere, and each time leaves
// an audit entry.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { newId } from '#core/platform/ids.ts';
import { buildUser, password, signIn, type UserRow } from '../../harness/factories.ts';
import type { Reply } from '../../harness/fetch.ts';
import { useApp } from '../../harness/http.ts';
import { codeOf, inParallel, noGeneralLimits, tally } from '../support.ts';

const app = useApp(test, { settings: noGeneralLimits });
const { owner } = app.database;
let admin: UserRow;
let token: string;
let elsewhere: UserRow;

test.before.each(async () => {
  admin = await buildUser(owner, 'ADMIN');
  token = await signIn(app, admin);
  elsewhere = await buildUser(owner, 'TEACHER');
});

const person = () => ({
  primaryPersona: 'TEACHER',
  fullNameAr: 'معلمة',
  organizationId: admin.organizationId,
  password,
});
const create = (email: string | null) => app.post('/api/users', { ...person(), email }, { token });
const fresh = () => `${newId()}@example.org`;

test('after 20 foreign addresses both a foreign and a free one are RATE_LIMITED', async () => {
  const replies: Reply[] = [];
  for (let wave = 0; wave < 6; wave += 1) replies.push(...(await inParallel(5, () => create(elsewhere.email))));
  assert.equal(tally(replies), { '409 EMAIL_EXISTS': 20, '429 RATE_LIMITED': 10 });
  const free = await create(fresh());
  assert.is(codeOf(free), 'RATE_LIMITED');
  assert.equal([free.headers.get('retry-after'), (free.body as { retryAfter: number }).retryAfter], ['3600', 3600]);
  app.clock.advance(3_600_000);
  token = await signIn(app, admin);
  assert.is((await create(fresh())).status, 201);
});

test('PATCH and POST share the count, another administrator has another count', async () => {
  const { id } = await buildUser(owner, 'TEACHER', { organizationId: admin.organizationId });
  const patch = () => app.patch(`/api/users/${id}`, { email: elsewhere.email, fullNameAr: 'اسم آخر' }, { token });
  for (let at = 0; at < 10; at += 1) {
    assert.is(codeOf(await patch()), 'EMAIL_EXISTS');
    assert.is(codeOf(await create(elsewhere.email)), 'EMAIL_EXISTS');
  }
  assert.is(codeOf(await patch()), 'RATE_LIMITED');
  const row = await owner('app_user').where({ id }).first('fullNameAr');
  assert.is.not(row.fullNameAr, 'اسم آخر', 'a refused change is rolled back');
  assert.is(
    (await app.patch(`/api/users/${id}`, { fullNameAr: 'اسم' }, { token })).status,
    200,
    'no address, no limit',
  );
  const colleague = await buildUser(owner, 'ADMIN', { organizationId: admin.organizationId });
  token = await signIn(app, colleague);
  assert.is((await create(fresh())).status, 201);
});

test('each leaves an audit entry without the address', async () => {
  await create(elsewhere.email);
  const entries = await owner('audit_entry').where({ entity: 'email_conflict', actorUserId: admin.id });
  assert.equal(
    entries.map(({ operation, action, organizationId }) => ({ operation, action, organizationId })),
    [{ operation: 'createUser', action: 'insert', organizationId: admin.organizationId }],
  );
  assert.not.match(JSON.stringify(entries), elsewhere.email ?? '');
});

test('an address of the own organization does not count', async () => {
  const own = await buildUser(owner, 'TEACHER', { organizationId: admin.organizationId });
  for (let at = 0; at < 25; at += 1) assert.is(codeOf(await create(own.email)), 'EMAIL_EXISTS');
  assert.is((await create(fresh())).status, 201);
});

test.run();
