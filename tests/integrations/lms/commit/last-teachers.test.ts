// No commit leaves a class without a teacher unless a person has stated so, whatever was skipped or has changed since the preview.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { newId } from '#core/platform/ids.ts';
import { buildUser } from '../../../harness/factories.ts';
import { courses as classes, useSchool } from '../school.ts';
import type { Roster } from '../sets.ts';
import { type Preview, rowOf } from '../walk.ts';

const school = useSchool(test);
const { app, admin } = school;

const people = () => {
  const place = newId();
  return ['t1', 't2'].map((id) => ({ id, role: 'teacher', email: `${id}-${place}@school.example` }));
};
const taughtBy = (all: NonNullable<Roster['people']>, ...ids: readonly string[]): Roster => ({
  classes,
  people: all,
  enrolled: ids.map((person) => ({ course: 'A', person, role: 'teacher' })),
});
const taught = async () => (await school.teachersOf(school.first)).length;

/** The one who taught the class goes, and another one comes, who may have an account. */
async function swapping({ isHere = false } = {}): Promise<Preview> {
  const all = people();
  const { organizationId } = school.tenant;
  const email = all[1]?.email ?? '';
  if (isHere) await buildUser(school.owner, 'TEACHER', { organizationId, email });
  const id = await school.imported(taughtBy(all, 't1'));
  return school.again(id, taughtBy(all, 't2'));
}

async function refused({ previewId, ...preview }: Preview): Promise<void> {
  const { status, body } = await admin.commit(previewId);
  const { rowId } = rowOf({ previewId, ...preview }, 't1@A');
  assert.equal(
    [status, body.code, body.details],
    [422, 'VALIDATION_ERROR', [{ field: `rows.${rowId}`, issue: 'would_orphan_last_teacher' }]],
  );
  assert.is(await taught(), 1);
  assert.is((await admin.read(previewId)).state, 'ready');
}

for (const [what, id, isHere] of [
  ['place in the class', 't2@A', false],
  ['account', 't2', false],
  ['link to an account', 't2', true],
] as const) {
  test(`the ${what} of who would come is skipped: the last teacher does not go, until it is taken back`, async () => {
    const preview = await swapping({ isHere });
    const { rowId } = rowOf(preview, id);
    assert.is((await admin.resolve(preview.previewId, rowId, 'skip_row')).status, 200);
    await refused(preview);
    await admin.resolve(preview.previewId, rowId, null);
    assert.is((await admin.commit(preview.previewId)).status, 200);
    assert.is(await taught(), 1);
  });
}

test('who would go is skipped too: nothing of the class changes', async () => {
  const preview = await swapping();
  for (const id of ['t1@A', 't2@A']) {
    await admin.resolve(preview.previewId, rowOf(preview, id).rowId, 'skip_row');
  }
  const before = await school.teachersOf(school.first);
  assert.is((await admin.commit(preview.previewId)).status, 200);
  assert.equal(await school.teachersOf(school.first), before);
});

test('the other teacher of the class went since the preview', async () => {
  const { organizationId } = school.tenant;
  const own = await buildUser(school.owner, 'TEACHER', { organizationId });
  const path = `/api/classes/${school.first}/teachers`;
  const id = await school.imported(taughtBy(people(), 't1'));
  assert.is((await app.post(path, { teacherUserId: own.id }, admin.token)).status, 201);
  const preview = await school.again(id, { classes, people: [], enrolled: [] });
  assert.is(rowOf(preview, 't1@A').reasonCode, 'ended');
  assert.is((await app.delete(`${path}/${own.id}`, admin.token)).status, 204);
  await refused(preview);
});

test('who was accepted to go as the last one goes', async () => {
  const id = await school.imported(taughtBy(people(), 't1'));
  const preview = await school.again(id, { classes, people: [], enrolled: [] });
  const { rowId, reasonCode } = rowOf(preview, 't1@A');
  assert.is(reasonCode, 'would_orphan_last_teacher');
  await admin.resolve(preview.previewId, rowId, 'accept_lms');
  assert.is((await admin.commit(preview.previewId)).status, 200);
  assert.is(await taught(), 0);
});

test.run();
