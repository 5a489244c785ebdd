// What counts as changed since a commit, beside names, classes and teachers: its links and its addresses.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { newId } from '#core/platform/ids.ts';
import { buildUser } from '../../../harness/factories.ts';
import { courses as classes, useSchool } from '../school.ts';
import type { Person, Roster } from '../sets.ts';

const school = useSchool(test, { settings: { LMS_GUARDIAN_IMPORT_ENABLED: 'true' } });
const { app, admin, owner } = school;

const roster = (...people: readonly Person[]): Roster => ({
  classes,
  people,
  enrolled: [{ course: 'A', person: 's1' }],
});

/** The rows that a revert names; then all but those are taken back. */
async function named(run: string): Promise<string[]> {
  const { status, body } = await school.revert(run);
  const issues = (body.details as { issue: string }[] | undefined)?.map(({ issue }) => issue) ?? [];
  assert.equal([status, (await school.revert(run, { skipChanged: true })).body.kept], [409, issues.length]);
  return issues;
}

test('a link of a guardian that the commit made, and that was removed and made anew since', async () => {
  const email = `${newId()}@home.example`;
  const id = await school.connect(roster({ id: 's1' }, { id: 'g1', role: 'guardian', email, agents: 's1' }));
  const run = await school.commit(id);
  const [child, parent] = [(await school.userOf('s1')).id, (await school.userOf('g1')).id];
  const path = `/api/students/${child}/parents`;
  assert.is((await app.delete(`${path}/${parent}`, admin.token)).status, 204);
  assert.is((await app.post(path, { parentUserId: parent }, admin.token)).status, 201);
  assert.equal(await named(run), ['changed_since']);
  const { organizationId } = school.tenant;
  assert.is((await owner('parent_student').where({ organizationId, studentId: child })).length, 1);
});

test('an identity that is another account by now', async () => {
  const run = await school.commit(await school.connect(roster({ id: 's1' })));
  const { organizationId } = school.tenant;
  const { id: userId } = await buildUser(owner, 'STUDENT', { organizationId });
  await owner('external_identity').where({ organizationId, subject: 's1' }).update({ userId });
  assert.equal(await named(run), ['changed_since']);
  assert.is((await school.userOf('s1')).id, userId);
});

test('a former address that a person in another organization has by now', async () => {
  const [former, later] = [`${newId()}@home.example`, `${newId()}@home.example`];
  const id = await school.imported(roster({ id: 's1', email: former }));
  const { previewId } = await school.again(id, roster({ id: 's1', email: later }));
  const run = await school.commitPreview(previewId);
  await buildUser(owner, 'TEACHER', { email: former });
  assert.equal(await named(run), ['changed_since']);
  assert.is((await school.userOf('s1')).email, later);
});

test.run();
