// Teachers whom a commit has brought or sent away: taken back, each class has the teachers of before, in their order, and the one
// who led it.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { newId } from '#core/platform/ids.ts';
import { buildUser } from '../../../harness/factories.ts';
import { courses as classes, useSchool } from '../school.ts';
import type { Roster } from '../sets.ts';

const school = useSchool(test);
const { app, admin } = school;

const teachers = () => {
  const address = newId();
  return ['t1', 't2', 't3'].map((id) => ({ id, role: 'teacher', email: `${id}-${address}@school.example` }));
};
const taughtBy = (people: NonNullable<Roster['people']>, ...ids: readonly string[]): Roster => ({
  classes,
  people,
  enrolled: ids.map((id) => {
    const [person = '', primary] = id.split(' ');
    return { course: 'A', person, role: 'teacher', primary: String(primary === 'leads') };
  }),
});

const here = async (name: string) =>
  (await buildUser(school.owner, 'TEACHER', { organizationId: school.tenant.organizationId, fullNameAr: name })).id;
const attach = async (teacherUserId: number) => {
  const { status, body } = await app.post(`/api/classes/${school.first}/teachers`, { teacherUserId }, admin.token);
  assert.is(status, 201, JSON.stringify(body));
};
const detach = async (teacherUserId: number) => {
  const { status } = await app.delete(`/api/classes/${school.first}/teachers/${teacherUserId}`, admin.token);
  assert.is(status, 204);
};

/** One teacher leaves, another comes, and the commit of it. */
async function swapped(before: readonly string[], after: readonly string[]) {
  const people = teachers();
  const id = await school.imported(taughtBy(people, ...before));
  const stood = await school.teachersOf(school.first);
  const { previewId } = await school.again(id, taughtBy(people, ...after));
  const leaving = before.filter((one) => !after.some((other) => other.startsWith(one.slice(0, 2))));
  // All teachers of the connection at once: a person has to say that this is meant.
  if (leaving.length > 1) await school.admin.resolveAll(previewId, 'mass_removal', 'accept_lms');
  const run = await school.commitPreview(previewId);
  const [t1, t2, t3] = await Promise.all(['t1', 't2', 't3'].map(async (one) => (await school.knownAs(one))?.id));
  return { stood, run, t1, t2, t3 };
}
const roles = async () =>
  (await school.teachersOf(school.first)).map(({ teacherUserId, role }) => [teacherUserId, role]);

for (const [name, before, after, then] of [
  ['the successor of the only teacher', ['t1'], ['t2'], [['t2', 'PRIMARY']]],
  [
    'a second teacher who leads from now on',
    ['t1 leads'],
    ['t1', 't2 leads'],
    [
      ['t1', 'SECONDARY'],
      ['t2', 'PRIMARY'],
    ],
  ],
  ['the leader who leaves to the second', ['t1 leads', 't2'], ['t2'], [['t2', 'PRIMARY']]],
  ['the second who leaves', ['t1 leads', 't2'], ['t1 leads'], [['t1', 'PRIMARY']]],
  ['two who are followed by one', ['t1', 't2 leads'], ['t3'], [['t3', 'PRIMARY']]],
  [
    'a class that no one taught',
    [],
    ['t1', 't2 leads'],
    [
      ['t1', 'SECONDARY'],
      ['t2', 'PRIMARY'],
    ],
  ],
] as const) {
  test(`taken back, as it was: ${name}`, async () => {
    const { stood, run, ...ids } = await swapped(before, after);
    assert.equal(
      await roles(),
      then.map(([id, role]) => [ids[id], role]),
    );
    assert.is((await school.revert(run)).status, 200);
    assert.equal(await school.teachersOf(school.first), stood);
  });
}

test('who was attached here stays what he was, before and after', async () => {
  const own = await here('سعاد');
  await attach(own);
  const { stood, run, t2 } = await swapped(['t1'], ['t2 leads']);
  assert.equal(await roles(), [
    [own, 'SECONDARY'],
    [t2, 'PRIMARY'],
  ]);
  assert.is((await school.revert(run)).status, 200);
  assert.equal([stood[0]?.teacherUserId, stood[0]?.role], [own, 'PRIMARY']);
  assert.equal(await school.teachersOf(school.first), stood);
});

test('a person who came since as a second stays one', async () => {
  const { run, t1 } = await swapped(['t1'], ['t2']);
  const own = await here('سعاد');
  await attach(own);
  assert.is((await school.revert(run)).status, 200);
  assert.equal(await roles(), [
    [t1, 'PRIMARY'],
    [own, 'SECONDARY'],
  ]);
});

test('another leader since: all rows of the class are named, and stay when they are to be kept', async () => {
  const { run, t2 } = await swapped(['t1'], ['t2']);
  const own = await here('سعاد');
  await attach(own);
  await detach(t2);
  await attach(t2);
  const stands = await roles();
  assert.equal(stands, [
    [own, 'PRIMARY'],
    [t2, 'SECONDARY'],
  ]);
  const refused = await school.revert(run);
  assert.equal(
    [refused.status, (refused.body.details as { issue: string }[]).map(({ issue }) => issue)],
    [409, ['changed_since', 'changed_since']],
  );
  assert.equal((await school.revert(run, { skipChanged: true })).body.kept, 2);
  assert.equal(await roles(), stands);
});

test('the teacher of before was erased: the one who came stays, so that the class has one', async () => {
  const { run, t1, t2 } = await swapped(['t1'], ['t2']);
  assert.is((await app.post(`/api/users/${t1}/erasure`, {}, admin.token)).status, 200);
  const refused = await school.revert(run);
  assert.equal([refused.status, (refused.body.details as { issue: string }[])[0]?.issue], [409, 'changed_since']);
  assert.is((await school.revert(run, { skipChanged: true })).status, 200);
  assert.equal(await roles(), [[t2, 'PRIMARY']]);
});

test('a record of before teaching was recorded: teachers are named, and stay as they are when they are to be kept', async () => {
  const { run } = await swapped(['t1'], ['t2']);
  const stands = await roles();
  await school
    .owner('lms_change')
    .where({ runId: run })
    .update({
      before: school.owner.raw("before - 'teaching'"),
      after: school.owner.raw("after - 'teaching'"),
    });
  const refused = await school.revert(run);
  const named = (refused.body.details as { issue: string }[]).map(({ issue }) => issue);
  assert.equal([refused.status, named], [409, ['changed_since', 'changed_since']]);
  assert.is((await school.revert(run, { skipChanged: true })).body.kept, 2);
  assert.equal(await roles(), stands);
});

test.run();
