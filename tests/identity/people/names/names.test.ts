// Names by ids, of all organizations at once.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { newId } from '#core/platform/ids.ts';
import {
  buildClass,
  buildOrganization,
  buildSchool,
  buildSuperAdmin,
  buildUser,
  signIn,
} from '../../../harness/factories.ts';
import { useApp } from '../../../harness/http.ts';

const app = useApp(test);
const { owner } = app.database;
let token: string;
test.before(async () => {
  token = await signIn(app, await buildSuperAdmin(owner));
});

const names = (query: Record<string, string>) =>
  app.get<Record<string, { id: number | string; name: string }[]>>(`/api/admin/names?${new URLSearchParams(query)}`, {
    token,
  });

test('people, schools, classes and organizations of several organizations, in the order of their ids', async () => {
  const organizations = [
    await buildOrganization(owner, { name: 'One' }),
    await buildOrganization(owner, { name: 'Two' }),
  ];
  const schools = await Promise.all(
    organizations.map(({ id: organizationId }, at) => buildSchool(owner, { organizationId, name: `School ${at}` })),
  );
  const classes = await Promise.all(
    schools.map(({ organizationId, id: schoolId }, at) =>
      buildClass(owner, { organizationId, schoolId, name: `Class ${at}` }),
    ),
  );
  const people = await Promise.all(
    organizations.map(({ id: organizationId }, at) =>
      buildUser(owner, 'TEACHER', { organizationId, fullNameAr: `معلمة ${at}` }),
    ),
  );
  const staff = await buildSuperAdmin(owner, { fullNameAr: 'سارة' });
  const { status, body } = await names({
    users: [...people, staff].map(({ id }) => id).join(','),
    schools: schools.map(({ id }) => id).join(','),
    classes: classes.map(({ id }) => id).join(','),
    organizations: organizations.map(({ id }) => id).join(','),
  });
  assert.is(status, 200);
  const sorted = <T extends { id: number | string }>(rows: T[]) => rows.sort((a, b) => (a.id < b.id ? -1 : 1));
  assert.equal(body, {
    users: sorted([...people.map(({ id }, at) => ({ id, name: `معلمة ${at}` })), { id: staff.id, name: 'سارة' }]),
    schools: sorted(schools.map(({ id }, at) => ({ id, name: `School ${at}` }))),
    classes: sorted(classes.map(({ id }, at) => ({ id, name: `Class ${at}` }))),
    organizations: sorted(organizations.map(({ id }, at) => ({ id, name: ['One', 'Two'][at] ?? '' }))),
  });
});

test('unknown and erased ones are left out; an account without a name has its address', async () => {
  const erased = await buildUser(owner, 'TEACHER');
  assert.is((await app.post(`/api/users/${erased.id}/erasure`, {}, { token })).status, 200);
  const nameless = await buildUser(owner, 'TEACHER', { fullNameAr: null });
  const { body } = await names({
    users: `${erased.id},${nameless.id},9007199254740991,9999999999999999`,
    schools: newId(),
    classes: '999999999',
    organizations: newId(),
  });
  const users = [{ id: nameless.id, name: nameless.email }];
  assert.equal(body, { users, schools: [], classes: [], organizations: [] });
});

test('without ids all lists are empty', async () => {
  assert.equal((await names({})).body, { users: [], schools: [], classes: [], organizations: [] });
});

test('a hundred ids of a kind are answered, one more is 422, and so is a malformed one', async () => {
  const list = (count: number) => Array.from({ length: count }, (_, at) => at + 1).join(',');
  assert.is((await names({ users: list(100) })).status, 200);
  for (const users of [list(101), '1,,2', 'x', '0', '-1', '1, 2', '٣', ''])
    assert.is((await names({ users })).status, 422, users);
  for (const schools of ['not-a-cuid', Array.from({ length: 101 }, newId).join(',')])
    assert.is((await names({ schools })).status, 422);
});

test('an administrator of an organization is refused', async () => {
  const admin = await signIn(app, await buildUser(owner, 'ADMIN'));
  assert.is((await app.get('/api/admin/names?users=1', { token: admin })).status, 403);
});

test.run();
