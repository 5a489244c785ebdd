// Two ids that the source has are never one account by an address that was one person's and is another's by now.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { newId } from '#core/platform/ids.ts';
import { runSync } from '#integrations/lms/scheduled/run.ts';
import { courses as classes, useSchool } from '../school.ts';
import { type Person, type Roster, rosterSet } from '../sets.ts';
import { rowOf } from '../walk.ts';

const school = useSchool(test);
const { app, admin, owner } = school;
const address = () => `${newId()}@school.example`;

const inCourses = (people: readonly (Person & { readonly course?: string })[]): Roster => ({
  classes,
  people,
  enrolled: people.map(({ id, role = 'student', course = 'A' }) => ({ course, person: id, role })),
});

const reported = ({ action, reasonCode }: { readonly action: string; readonly reasonCode: string }) =>
  `${action}/${reasonCode}`;

for (const role of ['student', 'teacher']) {
  for (const [what, email] of [
    ['has another address now', address],
    ['has none now', () => ''],
  ] as const) {
    test(`a ${role} whose former address is another id’s, and who ${what}: the other one is asked about`, async () => {
      const mine = address();
      const id = await school.imported(inCourses([{ id: 'one', role, email: mine }]));
      const next = inCourses([
        { id: 'one', role, email: email() },
        { id: 'two', role, email: mine },
      ]);
      const preview = await school.again(id, next);
      assert.is(reported(rowOf(preview, 'two')), 'conflict/ambiguous_email');
      assert.is.not(rowOf(preview, 'one').action, 'conflict');
      await admin.resolveAll(preview.previewId, 'ambiguous_email', role === 'student' ? 'accept_lms' : 'skip_row');
      await school.commitPreview(preview.previewId);
      const [one, two] = [await school.userOf('one'), await school.userOf('two')];
      assert.is(two?.email, role === 'student' ? null : undefined);
      assert.is.not(one.id, two?.id);
    });
  }
}

test('so it is where the first id is in a course that is not read', async () => {
  const mine = address();
  const id = await school.imported(inCourses([{ id: 'one', email: mine }]));
  await admin.upload(rosterSet(inCourses([{ id: 'one' }, { id: 'two', email: mine, course: 'B' }])));
  assert.is(reported(rowOf(await admin.preview(id, ['B']), 'two')), 'conflict/ambiguous_email');
});

test('a sync leaves it to be decided, each time', async () => {
  const mine = address();
  const id = await school.imported(inCourses([{ id: 'one', email: mine }]));
  await admin.upload(rosterSet(inCourses([{ id: 'one' }, { id: 'two', email: mine }])));
  const { organizationId } = school.tenant;
  for (const _ of [1, 2]) {
    const { body } = await app.post<{ syncRunId: string }>(`/api/lms/connections/${id}/sync-now`, {}, admin.token);
    await runSync(app.services, { organizationId, id: body.syncRunId });
    const run = await owner('lms_sync_run').where({ organizationId, id: body.syncRunId }).first();
    assert.equal([run.state, run.counts.conflicts], ['partial', 1]);
  }
  assert.is(await school.userOf('two'), undefined);
});

test('an id that the source has no more gives its account to a new one of the same address', async () => {
  const mine = address();
  const id = await school.imported(inCourses([{ id: 'one', email: mine }]));
  const preview = await school.again(id, inCourses([{ id: 'two', email: mine }]));
  assert.is(reported(rowOf(preview, 'two')), 'update/changed');
  await school.commitPreview(preview.previewId);
  assert.is((await school.userOf('two')).id, (await school.userOf('one')).id);
  const both = await school.again(
    id,
    inCourses([
      { id: 'one', email: mine },
      { id: 'two', email: mine },
    ]),
  );
  assert.equal(
    ['one', 'two'].map((one) => reported(rowOf(both, one))),
    Array(2).fill('conflict/ambiguous_email'),
    'the first id has come back',
  );
});

test.run();
