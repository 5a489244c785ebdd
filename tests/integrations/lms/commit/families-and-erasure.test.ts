// A person who is erased while a commit waits gets no family link by that commit.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { newId } from '#core/platform/ids.ts';
import { eventually, lockWaits } from '../../../harness/eventually.ts';
import { courses as classes, useSchool } from '../school.ts';

const school = useSchool(test, { settings: { LMS_GUARDIAN_IMPORT_ENABLED: 'true' } });
const { app, admin, owner } = school;

test('a child who is erased, and of whom the guardian’s row alone is written, is not linked', async () => {
  const guardian = { id: 'g1', role: 'guardian', email: `${newId()}@home.example` };
  const roster = (agents?: string) => ({
    classes,
    people: [{ id: 's1', agents: 'g1' }, { id: 's2', ...(agents && { agents }) }, guardian],
    enrolled: ['s1', 's2'].map((person) => ({ course: 'A', person })),
  });
  const id = await school.imported(roster());
  const { previewId } = await school.again(id, roster('g1'));
  const { id: studentId } = await school.userOf('s2');
  const holder = await owner.transaction();
  const answers: Promise<{ status: number }>[] = [];
  try {
    await holder('enrollment').where({ studentId, enrolledTo: null }).forUpdate();
    answers.push(app.post(`/api/students/${studentId}/erasure`, {}, admin.token));
    await eventually('the erasure waits, with the account locked', async () => (await lockWaits(owner)) >= 1);
    answers.push(admin.commit(previewId));
    await eventually('the commit waits too', async () => (await lockWaits(owner)) >= 2);
  } finally {
    await holder.rollback();
  }
  assert.equal(
    (await Promise.all(answers)).map(({ status }) => status),
    [200, 200],
  );
  assert.equal(await owner('parent_student').where({ studentId }), []);
});

test.run();
