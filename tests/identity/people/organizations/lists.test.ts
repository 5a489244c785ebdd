// Lists: filters, pages, and cursors that neither repeat nor skip a row while rows are inserted.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { buildClass, buildStudent, buildUser, type UserRow } from '../../../harness/factories.ts';
import { useApp } from '../../../harness/http.ts';
import { buildTenant, buildWorld, type Tenant, type World } from '../../../harness/world.ts';

const app = useApp(test);
const { owner } = app.database;
let world: World;

test.before(async () => {
  world = await buildWorld(app);
});

interface Page {
  readonly items: readonly { readonly id: number | string; readonly studentId?: number }[];
  readonly nextCursor: string | null;
}

const page = async (path: string, token: string) => {
  const { status, body } = await app.get<Page>(path, { token });
  assert.is(status, 200, JSON.stringify(body));
  return body;
};

/** Reads page after page; `between` runs after each one. */
async function readAll(path: string, token: string, between = async () => {}) {
  const seen: (number | string)[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const body: Page = await page(`${path}${cursor && `&cursor=${encodeURIComponent(cursor)}`}`, token);
    seen.push(...body.items.map(({ id, studentId }) => studentId ?? id));
    cursor = body.nextCursor;
    await between();
  }
  return seen;
}

const ids = (people: readonly UserRow[]) => people.map(({ id }) => id);

async function crowd(count: number): Promise<{ tenant: Tenant; people: UserRow[] }> {
  const tenant = await buildTenant(app);
  const people: UserRow[] = [];
  for (let made = 0; made < count; made += 1) {
    people.push(await buildUser(owner, 'PARENT', { organizationId: tenant.organizationId }));
  }
  return { tenant, people };
}

test('a page has 25 rows by default, and a cursor while there are more', async () => {
  const { tenant, people } = await crowd(27);
  const { token } = tenant.people.ADMIN;
  const first = await page('/api/users?persona=PARENT', token);
  assert.is(first.items.length, 25);
  const rest = await page(`/api/users?persona=PARENT&cursor=${first.nextCursor}`, token);
  assert.is(rest.nextCursor, null);
  const parents = [tenant.people.PARENT.id, tenant.people['PARENT elsewhere'].id, ...ids(people)];
  assert.equal(
    [...first.items, ...rest.items].map(({ id }) => id),
    parents.sort((a, b) => a - b),
  );
});

test('a page that ends with the last row has no cursor', async () => {
  const { tenant } = await crowd(2);
  assert.is((await page('/api/users?persona=PARENT&limit=4', tenant.people.ADMIN.token)).nextCursor, null);
  assert.is.not((await page('/api/users?persona=PARENT&limit=3', tenant.people.ADMIN.token)).nextCursor, null);
});

test('rows inserted between pages neither repeat nor skip rows', async () => {
  const { tenant, people } = await crowd(9);
  const { organizationId } = tenant;
  const { token } = tenant.people.ADMIN;
  let arrivals = 0;
  const arrive = async () => {
    if (arrivals++ < 5) await buildUser(owner, 'PARENT', { organizationId });
  };
  const seen = await readAll('/api/users?persona=PARENT&limit=2', token, arrive);
  assert.is(new Set(seen).size, seen.length, 'no row twice');
  assert.ok(
    ids(people).every((id) => seen.includes(id)),
    'no row skipped',
  );
});

test('schools, whose ids are not ordered in time, are paged without repeated or skipped rows', async () => {
  const tenant = await buildTenant(app);
  const { organizationId } = tenant;
  const { token } = tenant.people.ADMIN;
  const before = (await owner('school').where({ organizationId })).map(({ id }) => id);
  const create = async () => {
    await app.post('/api/schools', { organizationId, name: 'وصلت', country: 'SA' }, { token });
  };
  let rounds = 0;
  const seen = await readAll('/api/schools?limit=1', token, async () => {
    if (rounds++ < 3) await create();
  });
  assert.is(new Set(seen).size, seen.length);
  assert.ok(before.every((id) => seen.includes(id)));
});

test('SUPER administrators list all organizations, including the demo', async () => {
  const seen = await readAll('/api/organizations?limit=2', world.superAdmin.token);
  for (const { organizationId } of [world.own, world.other, world.demo]) assert.ok(seen.includes(organizationId));
});

test('students of a class are paged, without those who have left', async () => {
  const { organizationId, school, people } = world.own;
  const row = await buildClass(owner, { organizationId, schoolId: school.id });
  const students: UserRow[] = [];
  for (let made = 0; made < 5; made += 1) students.push(await buildStudent(owner, row));
  const former = await buildStudent(owner, row);
  await owner('enrollment').where({ studentId: former.id }).update({ enrolledTo: '2025-12-01' });
  assert.equal(await readAll(`/api/classes/${row.id}/students?limit=2`, people.ADMIN.token), ids(students));
});

test('people are filtered by persona, status, school, class and part of name or e-mail', async () => {
  const tenant = await buildTenant(app);
  const { people, organizationId, school, classRow } = tenant;
  const find = async (query: string) => (await readAll(`/api/users?limit=100&${query}`, people.ADMIN.token)).sort();
  const sorted = (...found: UserRow[]) => ids(found).sort();
  const closed = await buildUser(owner, 'MANAGER', { organizationId, status: 'inactive' });
  const named = await buildUser(owner, 'MANAGER', {
    organizationId,
    fullNameAr: 'سعاد 100%_متأكدة',
    email: 'Soad@Find.Me',
  });

  assert.equal(await find('persona=PRINCIPAL'), sorted(people.PRINCIPAL, people['PRINCIPAL elsewhere']));
  assert.equal(await find('status=inactive'), sorted(closed));
  assert.equal(await find(`classId=${classRow.id}`), sorted(people.TEACHER, people.STUDENT));
  assert.equal(await find(`schoolId=${school.id}`), sorted(people.TEACHER, people.STUDENT, people.PRINCIPAL));
  assert.equal(await find(`schoolId=${school.id}&persona=STUDENT`), sorted(people.STUDENT));
  for (const q of ['سعاد', '100%_', 'find.me', 'SOAD'])
    assert.equal(await find(`q=${encodeURIComponent(q)}`), sorted(named));
  assert.equal(await find('q=%25%25'), [], 'a percent sign is a percent sign');
  assert.equal(await find(`q=${encodeURIComponent("'; drop table app_user; --")}`), []);
});

for (const query of [
  'limit=0',
  'limit=101',
  'limit=-5',
  'limit=2.5',
  'limit=all',
  'limit=',
  'cursor=',
  'cursor=nonsense',
  'cursor=W10',
  'cursor=WyJhIl0',
  'persona=JANITOR',
  'status=gone',
  'classId=x',
  'schoolId=7',
  'q=',
  `q=${'x'.repeat(101)}`,
  'limit=1&limit=2',
  'nonsense=1',
]) {
  test(`people with ${query.slice(0, 20)}: 422`, async () => {
    assert.is((await app.get(`/api/users?${query}`, { token: world.own.people.ADMIN.token })).status, 422);
  });
}

test.run();
