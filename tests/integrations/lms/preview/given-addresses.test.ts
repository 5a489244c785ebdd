// An address that an administrator gives while the source has none is the organization's own: one that the source brings later
// is asked about.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { courses as classes, useSchool } from '../school.ts';
import { rowOf } from '../walk.ts';

const [here, there] = ['here@school.example', 'there@school.example'];
const password = 'a long passphrase';
const school = useSchool(test, { addresses: [here, there] });
const { app, admin } = school;

const roster = (email?: string) => ({
  classes,
  people: [{ id: 's1', ...(email !== undefined && { email }) }],
  enrolled: [{ course: 'A', person: 's1' }],
});

/** Imported without an address, which an administrator gives then. Answers the id of the connection. */
async function addressed(): Promise<string> {
  const id = await school.imported(roster());
  const student = await school.userOf('s1');
  const { status, body } = await app.patch(`/api/users/${student.id}`, { email: here, password }, admin.token);
  assert.is(status, 200, JSON.stringify(body));
  return id;
}

const signsIn = async () => (await app.post('/api/auth/login', { email: here, password })).status === 200;

test('another address of the source is a conflict, and what is here may be kept', async () => {
  const id = await addressed();
  const preview = await school.again(id, roster(there));
  const { rowId, action, reasonCode, changes } = rowOf(preview, 's1');
  assert.equal([action, reasonCode], ['conflict', 'local_newer']);
  assert.equal(changes, [{ field: 'email', from: here, to: there }]);
  assert.is((await admin.commit(preview.previewId)).status, 422);
  assert.is((await admin.resolve(preview.previewId, rowId, 'keep_amal')).status, 200);
  await school.commitPreview(preview.previewId);
  assert.equal([(await school.userOf('s1')).email, await signsIn()], [here, true]);
  assert.is(rowOf(await admin.preview(id), 's1').reasonCode, 'kept_local');
});

test('the same address, or none still, is not asked about', async () => {
  const id = await addressed();
  for (const email of [undefined, here]) {
    assert.is(rowOf(await school.again(id, roster(email)), 's1').reasonCode, 'unchanged', email);
  }
});

test('where nobody has given one, the first address of the source is taken', async () => {
  const id = await school.imported(roster());
  const preview = await school.again(id, roster(there));
  assert.is(rowOf(preview, 's1').reasonCode, 'changed');
  await school.commitPreview(preview.previewId);
  assert.is((await school.userOf('s1')).email, there);
});

test.run();
