// Two courses of a source may be one class here: whom either of them has is in it.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { newId } from '#core/platform/ids.ts';
import { courses as classes, useSchool } from '../school.ts';
import { type Roster, rosterSet } from '../sets.ts';
import { rowOf } from '../walk.ts';

const school = useSchool(test);
const { admin } = school;
let addresses: readonly string[] = [];

test.before.each(() => {
  addresses = [`${newId()}@school.example`, `${newId()}@school.example`];
});

/** One teacher in the first course alone; a student and another teacher in these. */
const roster = (...courses: readonly string[]): Roster => ({
  classes,
  people: [{ id: 's1' }, ...['t1', 't2'].map((id, at) => ({ id, role: 'teacher', email: addresses[at] ?? '' }))],
  enrolled: [
    { course: 'A', person: 't1', role: 'teacher' },
    ...courses.flatMap((course) => [
      { course, person: 's1' },
      { course, person: 't2', role: 'teacher' },
    ]),
  ],
});

async function imported(): Promise<string> {
  const { body } = await admin.upload(rosterSet(roster('A', 'B')));
  await admin.map({ A: school.first, B: school.first });
  await school.commit(body.id);
  return body.id;
}

async function present() {
  const [student, teacher] = [await school.userOf('s1'), await school.userOf('t2')];
  const teachers = await school.teachersOf(school.first);
  return [
    (await school.openClass(student.id)) === school.first,
    teachers.some(({ teacherUserId }) => teacherUserId === teacher.id),
  ];
}

for (const [leftFirst, left, kept, imports] of [
  ['the one that brought them', 'A', 'B', 1],
  ['the one that brought them, long known,', 'A', 'B', 2],
  ['the other one', 'B', 'A', 2],
] as const) {
  test(`they leave the class with the last of the courses, where ${leftFirst} goes first`, async () => {
    const id = await imported();
    if (imports === 2) await school.commit(id);
    const preview = await school.again(id, roster(kept));
    for (const person of ['s1', 't2']) {
      assert.is(rowOf(preview, `${person}@${left}`).action, 'skip');
    }
    await school.commitPreview(preview.previewId);
    assert.equal(await present(), [true, true]);
    const last = await school.again(id, roster());
    for (const person of ['s1', 't2']) assert.is(rowOf(last, `${person}@${kept}`).reasonCode, 'ended');
    await school.commitPreview(last.previewId);
    assert.equal(await present(), [false, false]);
  });
}

test('a course that is not read keeps them', async () => {
  const id = await imported();
  await school.commit(id);
  await admin.upload(rosterSet(roster()));
  const preview = await admin.preview(id, ['A']);
  for (const person of ['s1', 't2']) assert.is(rowOf(preview, `${person}@A`).reasonCode, 'depends_on_other_row');
});

test.run();
