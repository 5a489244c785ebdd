// A move that waits for a decision, or is skipped, leaves the student where an import has brought the student: that is
// remembered, so that the student leaves once the roster has the student nowhere, and nothing is moved over what is done here.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { runSync } from '#integrations/lms/scheduled/run.ts';
import { buildClass } from '../../../harness/factories.ts';
import { courses as classes, useSchool } from '../school.ts';
import { type Person, type Roster, rosterSet } from '../sets.ts';
import { type Preview, rowOf } from '../walk.ts';

const school = useSchool(test);
const { app, admin, owner } = school;

/** The student is in these courses. A grade that no class has makes a coming a conflict. */
const roster = (courses: readonly string[], person: Partial<Person> = {}): Roster => ({
  classes,
  people: [{ id: 's1', ...person }],
  enrolled: courses.map((course) => ({ course, person: 's1' })),
});
const otherGrade = { grades: '02' };

const reported = (preview: Preview, ids: readonly string[]) => ids.map((id) => rowOf(preview, id).reasonCode);

async function classOf(): Promise<number | null> {
  const { id } = await school.knownAs('s1');
  return school.openClass(id);
}

async function synced(connectionId: string, next: Roster) {
  assert.is((await admin.upload(rosterSet(next))).status, 200);
  const asked = `/api/lms/connections/${connectionId}/sync-now`;
  const { body } = await app.post<{ syncRunId: string }>(asked, {}, admin.token);
  const { organizationId } = school.tenant;
  await runSync(app.services, { organizationId, id: body.syncRunId });
  return owner('lms_sync_run').where({ organizationId, id: body.syncRunId }).first();
}

/** Each leaves the student in the first class, though the roster says the second one. */
const waits: readonly (readonly [string, (connectionId: string) => Promise<unknown>])[] = [
  [
    'skipped',
    async (id) => {
      const { previewId, ...rest } = await school.again(id, roster(['B']));
      await admin.resolve(previewId, rowOf({ previewId, ...rest }, 's1@B').rowId, 'skip_row');
      await school.commitPreview(previewId);
    },
  ],
  [
    'skipped as a conflict',
    async (id) => {
      const { previewId } = await school.again(id, roster(['B'], otherGrade));
      await admin.resolveAll(previewId, 'class_grade_mismatch', 'skip_row');
      await school.commitPreview(previewId);
    },
  ],
  [
    'left to be decided by a sync',
    async (id) => assert.is((await synced(id, roster(['B'], otherGrade))).state, 'partial'),
  ],
];

for (const [name, wait] of waits) {
  test(`a move that is ${name}: the student leaves once no course has the student`, async () => {
    const id = await school.imported(roster(['A']));
    await wait(id);
    assert.is(await classOf(), school.first);
    const last = await school.again(id, roster([]));
    assert.is(rowOf(last, 's1@A').reasonCode, 'ended');
    await school.commitPreview(last.previewId);
    assert.is(await classOf(), null);
  });

  test(`a move that is ${name}, and then a move by hand: the roster does not move the student over that`, async () => {
    const id = await school.imported(roster(['A']));
    await wait(id);
    const { organizationId, school: own } = school.tenant;
    const { id: third } = await buildClass(owner, { organizationId, schoolId: own.id, grade: 3 });
    const { id: studentId } = await school.userOf('s1');
    const body = { studentIds: [studentId] };
    assert.ok((await app.post(`/api/classes/${third}/students`, body, admin.token)).status < 300);
    assert.is(rowOf(await school.again(id, roster(['B'])), 's1@B').reasonCode, 'local_newer');
  });
}

test('a move that a sync has left is accepted later: the old place is forgotten with it, and is remembered when it is taken back', async () => {
  const id = await school.imported(roster(['A']));
  const { previewId } = await synced(id, roster(['B'], otherGrade));
  await admin.resolveAll(previewId, 'class_grade_mismatch', 'accept_lms');
  app.clock.advance(1_000);
  const runId = await school.commitPreview(previewId);
  assert.is(await classOf(), school.second);
  assert.is((await synced(id, roster(['B'], otherGrade))).previewId, null, 'nothing is left to do');
  assert.is((await school.revert(runId)).status, 200);
  assert.is(await classOf(), school.first);
  assert.is(rowOf(await school.again(id, roster([])), 's1@A').reasonCode, 'ended');
});

test('who was marked to stay here is the own student: absence ends nothing, and nothing is asked again', async () => {
  const id = await school.imported(roster(['A']));
  const { previewId } = await school.again(id, roster(['B'], otherGrade));
  await admin.resolveAll(previewId, 'class_grade_mismatch', 'keep_amal');
  await school.commitPreview(previewId);
  assert.is((await synced(id, roster(['B'], otherGrade))).previewId, null, 'nothing is left to do');
  assert.equal(reported(await school.again(id, roster([])), ['s1@B']), ['unchanged']);
  assert.is(await classOf(), school.first);
});

test('a second course of the class to which no one came is not taken for one that was left here', async () => {
  const both = { ...roster(['A', 'B'], otherGrade), classes };
  const { body } = await admin.upload(rosterSet(both));
  await admin.map({ A: school.first, B: school.first });
  await school.commit((await synced(body.id, roster([]))).connectionId);
  await synced(body.id, both);
  await synced(body.id, both);
  assert.is(await classOf(), null);
  const preview = await school.again(body.id, roster(['B']));
  assert.is(rowOf(preview, 's1@B').reasonCode, 'new_enrollment');
});

test('while the row of a person cannot be read, what imports remember of the classes stays', async () => {
  const id = await school.imported(roster(['A']));
  await school.imported(roster(['B'], { email: 'no address' }));
  assert.is(await classOf(), school.first);
  const moved = await school.again(id, roster(['B']));
  assert.equal(reported(moved, ['s1@A', 's1@B']), ['depends_on_other_row', 'moved']);
  await school.commitPreview(moved.previewId);
  assert.is(await classOf(), school.second);
});

test('a course of an archived class takes nobody away from where it says no place', async () => {
  const id = await school.imported(roster(['A']));
  await owner('class').where({ id: school.second }).update({ archivedAt: app.clock.now() });
  const preview = await school.again(id, roster(['B']));
  assert.equal(reported(preview, ['s1@A', 's1@B']), ['ended', 'unresolved_reference']);
});

test.run();
