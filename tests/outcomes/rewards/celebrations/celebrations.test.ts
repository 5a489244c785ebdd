// 60 §1: what is celebrated with a student, newest first, and marked as seen once by the student alone.
import type { Static } from 'typebox';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Celebration, CelebrationList } from '#outcomes/rewards/celebrations/schemas.ts';
import { buildStudent, signIn, type UserRow } from '../../../harness/factories.ts';
import { useApp } from '../../../harness/http.ts';
import { buildWorld, type World } from '../../../harness/world.ts';
import { buildGrowth } from '../rows.ts';

const test = suite('celebrations');
const app = useApp(test, { rules: true });
const { owner } = app.database;
let world: World;
let student: UserRow;
let token: string;
let ids: string[];

test.before(async () => {
  world = await buildWorld(app);
});
test.before.each(async () => {
  student = await buildStudent(owner, world.own.classRow);
  token = await signIn(app, student);
  ids = [];
  for (const [on, kind, value] of [
    ['2026-01-11', 'avatar_tier', 2],
    ['2026-01-12', 'streak_milestone', 5],
    ['2026-01-13', 'streak_milestone', 10],
  ] as const) {
    ids.push(...(await buildGrowth(owner, student, { on, celebrates: [{ kind, value }] })).celebrationIds);
  }
});

const path = () => `/api/students/${student.id}/gamification/celebrations`;
const list = (query = '', as = token) => app.get<Static<typeof CelebrationList>>(`${path()}${query}`, { token: as });
const see = (id: string | undefined, as = token) =>
  app.post<Static<typeof Celebration> & { readonly code?: string }>(`${path()}/${id}/seen`, {}, { token: as });

test('newest first, in pages, seen or not', async () => {
  const { status, body } = await list();
  assert.is(status, 200);
  assert.equal(body.items[0], {
    ...{ id: ids[2], kind: 'streak_milestone', value: 10, createdAt: '2026-01-13T08:00:00.000Z', seenAt: null },
  });
  assert.equal(
    body.items.map(({ id }) => id),
    ids.toReversed(),
  );
  const first = await list('?limit=2');
  const rest = await list(`?limit=2&cursor=${first.body.nextCursor}`);
  assert.equal([...first.body.items, ...rest.body.items], body.items);
  assert.is(rest.body.nextCursor, null);
  await see(ids[1]);
  const shown = async (query: string) => (await list(query)).body.items.map(({ id }) => id);
  assert.equal(await shown('?seen=true'), [ids[1]]);
  assert.equal(await shown('?seen=false'), [ids[2], ids[0]]);
  for (const query of ['?seen=maybe', '?seen=', '?limit=0', '?cursor=x', '?kind=avatar_tier']) {
    assert.is((await list(query)).status, 422, query);
  }
});

test('seen: concurrent and repeated calls keep the first moment', async () => {
  const replies = await Promise.all(Array.from({ length: 4 }, () => see(ids[0])));
  const at = app.clock.now().toISOString();
  assert.equal(
    replies.map(({ status, body }) => [status, body.seenAt]),
    Array(4).fill([200, at]),
  );
  app.clock.advance(60_000);
  const again = await see(ids[0]);
  assert.equal([again.status, again.body.seenAt, again.body.id], [200, at, ids[0]]);
});

test('staff in reach read and do not mark; principals, families and other students read nothing', async () => {
  const { people } = world.own;
  for (const person of [people.TEACHER, people.ADMIN, world.superAdmin]) {
    assert.is((await list('', person.token)).status, 200);
    const { status, body } = await see(ids[0], person.token);
    assert.equal([status, body.code], [403, 'PERMISSION_DENIED']);
  }
  for (const person of [people.PRINCIPAL, people.PARENT, people.STUDENT, people['TEACHER elsewhere'], people.MANAGER]) {
    assert.is((await list('', person.token)).status, 403);
    assert.is((await see(ids[0], person.token)).status, 403);
  }
  assert.equal(await owner('reward_celebration').where({ studentId: student.id }).whereNotNull('seenAt'), []);
});

test('one that is not there, or is another student’s: 404', async () => {
  const other = await buildGrowth(owner, world.own.people.STUDENT, { celebrates: [{ kind: 'avatar_tier', value: 2 }] });
  for (const id of [other.celebrationIds[0], `c${'0'.repeat(23)}`, 'abc']) assert.is((await see(id)).status, 404, id);
  const reply = await app.get(`/api/students/${world.other.people.STUDENT.id}/gamification/celebrations`, { token });
  assert.is(reply.status, 404);
});

test.run();
