// An enrollment that cannot be read says nothing: neither that a person left, nor what a person is.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { newId } from '#core/platform/ids.ts';
import { courses as classes, useSchool } from '../school.ts';
import type { Roster } from '../sets.ts';
import { reported } from '../walk.ts';

const school = useSchool(test);

const roster = (email: string, enrolled: object): Roster => ({
  classes,
  people: [{ id: 's1' }, { id: 't1', role: 'teacher', email }],
  enrolled: [
    { course: 'A', person: 's1' },
    { course: 'A', person: 't1', role: 'teacher', ...enrolled },
  ],
});

for (const [what, fault] of [
  ['date', { from: '2026-13-01' }],
  ['role', { role: 'wizard' }],
] as const) {
  test(`a teacher whose enrollment has a wrong ${what} stays a teacher, and teaches on`, async () => {
    const email = `${newId()}@school.example`;
    const id = await school.imported(roster(email, {}));
    const preview = await school.again(id, roster(email, fault));
    assert.equal(reported(preview), [
      'student s1: skip/unchanged',
      'teacher t1: skip/unchanged',
      'enrollment s1@A: skip/unchanged',
      'enrollment t1@A: skip/bad_value',
    ]);
    await school.commitPreview(preview.previewId);
    assert.is((await school.teachersOf(school.first)).length, 1);
    const next = await school.again(id, { ...roster(email, {}), enrolled: [{ course: 'A', person: 's1' }] });
    assert.is(reported(next).at(-1), 'enrollment t1@A: conflict/would_orphan_last_teacher');
  });
}

test.run();
