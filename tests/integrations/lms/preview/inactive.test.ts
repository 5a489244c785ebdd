// Who is inactive at the source and has no open account here is skipped, and no one is asked.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { courses as classes, useSchool } from '../school.ts';
import { rowOf } from '../walk.ts';

const email = 'haya@school.example';
const school = useSchool(test, { addresses: [email] });

const teacher = { id: 't1', role: 'teacher', email };
const roster = (enabled: string) => ({
  classes,
  people: [{ ...teacher, enabled }],
  enrolled: [{ course: 'A', person: 't1', role: 'teacher' }],
});

test('who is inactive at the source and was never here is skipped as inactive_at_source', async () => {
  const id = await school.connect(roster('false'));
  const row = rowOf(await school.admin.preview(id), 't1');
  assert.equal([row.entity, row.action, row.reasonCode, row.local], ['teacher', 'skip', 'inactive_at_source', null]);
});

test('so is whose import was taken back, though the closed account has the address', async () => {
  const id = await school.connect(roster('true'));
  await school.revert(await school.commit(id));
  const made = await school.knownAs('t1');
  assert.equal([made.status, made.email], ['inactive', email]);
  const row = rowOf(await school.again(id, roster('false')), 't1');
  assert.equal([row.action, row.reasonCode, row.local], ['skip', 'inactive_at_source', null]);
  const back = rowOf(await school.again(id, roster('true')), 't1');
  assert.equal([back.action, back.reasonCode], ['update', 'changed']);
  assert.is((back.local as { userId: number }).userId, made.id);
});

test('a closed account that no import made still leaves the address ambiguous', async () => {
  const id = await school.imported(roster('true'));
  const { id: userId } = await school.userOf('t1');
  const { organizationId } = school.tenant;
  await school.owner('external_identity').where({ organizationId, userId }).delete();
  await school.owner('lms_person').where({ organizationId, userId }).delete();
  await school.owner('app_user').where({ id: userId }).update({ status: 'inactive' });
  const row = rowOf(await school.again(id, roster('false')), 't1');
  assert.equal([row.action, row.reasonCode], ['conflict', 'ambiguous_email']);
});

test.run();
