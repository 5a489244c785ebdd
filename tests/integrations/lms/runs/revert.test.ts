// What a commit has done can be taken back once; the one who is erased does not come back with the next roster.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { courses as classes, useSchool } from '../school.ts';
import { type Roster, rosterSet } from '../sets.ts';
import { reported, rowOf } from '../walk.ts';

const school = useSchool(test, { addresses: ['haya@school.example'] });
const { app, admin } = school;
const { owner } = app.database;

const start: Roster = {
  classes,
  people: [{ id: 's1' }, { id: 's2', given: 'ريم' }],
  enrolled: [
    { course: 'A', person: 's1' },
    { course: 'A', person: 's2' },
  ],
};

test('a first import taken back: accounts are closed, no one is in the classes, and a second word is refused', async () => {
  const run = await school.commit(await school.connect(start));
  assert.equal((await school.revert(run)).body, { reverted: 4, kept: 0 });
  const made = await school.knownAs('s1');
  assert.equal([made.status, await school.openClass(made.id)], ['inactive', null]);
  const again = await school.revert(run);
  assert.equal([again.status, (again.body.details as object[])[0]], [409, { field: '', issue: 'reverted' }]);
});

test('a move and a new name taken back', async () => {
  const id = await school.connect(start);
  await school.commit(id);
  await admin.upload(
    rosterSet({
      ...start,
      people: [
        { id: 's1', given: 'هيا' },
        { id: 's2', given: 'ريم' },
      ],
      enrolled: [
        { course: 'B', person: 's1' },
        { course: 'A', person: 's2' },
      ],
    }),
  );
  const run = await school.commit(id);
  const moved = await school.userOf('s1');
  assert.equal([moved.fullNameAr, await school.openClass(moved.id)], ['هيا العتيبي', school.second]);
  assert.equal((await school.revert(run)).body, { reverted: 2, kept: 0 });
  assert.equal(
    [(await school.userOf('s1')).fullNameAr, await school.openClass(moved.id)],
    ['نورة العتيبي', school.first],
  );
});

/** What a preview proposes, without the ids of its own. */
const proposed = async (connectionId: string) =>
  (await admin.preview(connectionId)).rows.map(({ entity, action, reasonCode, external, local, changes }) => ({
    ...{ entity, action, reasonCode, external, local, changes },
  }));

const changedRoster: Roster = {
  classes,
  people: [
    { id: 's1', given: 'هيا', email: 'haya@school.example' },
    { id: 's2', given: 'لمى', enabled: 'false' },
    { id: 's3', given: 'سارة' },
  ],
  enrolled: [
    { course: 'B', person: 's1' },
    { course: 'A', person: 's2' },
    { course: 'A', person: 's3' },
  ],
};
const begun: Roster = {
  ...start,
  people: [...(start.people ?? []), { id: 's4' }],
  enrolled: [...(start.enrolled ?? []), { course: 'A', person: 's4' }],
};

test('after a commit was taken back the next preview proposes the same changes, moves and ends as before', async () => {
  const id = await school.connect(begun);
  await school.commit(id);
  await admin.upload(rosterSet(changedRoster));
  const before = await proposed(id);
  const run = await school.commit(id);
  assert.equal((await school.revert(run)).status, 200);
  const after = await proposed(id);
  const isMade = ({ external }: (typeof before)[number]) => JSON.stringify(external).includes('"s3"');
  const others = (rows: typeof before) => rows.filter((row) => !isMade(row));
  assert.equal(others(after), others(before));
  assert.equal(
    before.map(({ reasonCode }) => reasonCode),
    ['changed', 'changed', 'new_person', 'depends_on_other_row', 'moved', 'unchanged', 'new_enrollment', 'ended'],
  );
  assert.equal(
    after.filter(isMade).map(({ action, changes }) => [action, changes]),
    [
      ['update', [{ field: 'status', from: 'inactive', to: 'active' }]],
      ['create', []],
    ],
  );
  await school.commit(id);
  const [s1, s3] = [await school.userOf('s1'), await school.userOf('s3')];
  assert.equal(
    [s1.fullNameAr, s1.email, await school.openClass(s1.id)],
    ['هيا العتيبي', 'haya@school.example', school.second],
  );
  assert.equal([s3.status, await school.openClass(s3.id)], ['active', school.first]);
});

test('a conflict that was decided for what is here is asked again after the commit was taken back', async () => {
  const id = await school.connect(start);
  await school.commit(id);
  await owner('app_user')
    .where({ id: (await school.userOf('s2')).id })
    .update({ fullNameAr: 'اسم هنا' });
  await admin.upload(
    rosterSet({
      ...start,
      people: [
        { id: 's1', given: 'هيا' },
        { id: 's2', given: 'لمى' },
      ],
    }),
  );
  const asked = await admin.preview(id);
  const { previewId } = asked;
  const row = rowOf(asked, 's2');
  assert.is(row.reasonCode, 'local_newer');
  await admin.resolve(previewId, row.rowId, 'keep_amal');
  await admin.commit(previewId);
  const run = await school.runOf(previewId);
  assert.is(rowOf(await admin.preview(id), 's2').reasonCode, 'kept_local');
  assert.equal((await school.revert(run)).body, { reverted: 1, kept: 0 });
  const next = await admin.preview(id);
  assert.equal([rowOf(next, 's1').reasonCode, rowOf(next, 's2').reasonCode], ['changed', 'local_newer']);
});

test('of a row that is kept, what is remembered stays too', async () => {
  const id = await school.connect(begun);
  await school.commit(id);
  await admin.upload(rosterSet(changedRoster));
  const run = await school.commit(id);
  const { id: userId } = await school.userOf('s1');
  await owner('app_user').where({ id: userId }).update({ fullNameAr: 'اسم هنا' });
  await owner('enrollment').where({ studentId: userId, enrolledTo: null }).update({ enrolledTo: '2099-01-01' });
  assert.is((await school.revert(run, { skipChanged: true })).body.kept, 2);
  const next = await admin.preview(id);
  assert.equal([rowOf(next, 's1').reasonCode, rowOf(next, 's1@B').reasonCode], ['kept_local', 'kept_local']);
  assert.is(rowOf(next, 's2').reasonCode, 'changed');
});

test('what was changed since is named, and nothing is written; or it is kept', async () => {
  const run = await school.commit(await school.connect(start));
  const { id } = await school.userOf('s2');
  await owner('app_user').where({ id }).update({ fullNameAr: 'اسم هنا' });
  const refused = await school.revert(run);
  const details = refused.body.details as { issue: string }[];
  assert.equal([refused.status, details.map(({ issue }) => issue)], [409, ['changed_since']]);
  assert.is((await school.userOf('s1')).status, 'active');
  assert.equal((await school.revert(run, { skipChanged: true })).body, { reverted: 3, kept: 1 });
  assert.equal([(await school.knownAs('s1')).status, (await school.userOf('s2')).status], ['inactive', 'active']);
});

test('an erased student leaves sets and previews, and the next roster brings no name', async () => {
  const id = await school.connect(start);
  await school.commit(id);
  const open = await admin.preview(id);
  const { id: userId } = await school.userOf('s1');
  const { status, body } = await app.post(`/api/students/${userId}/erasure`, {}, admin.token);
  assert.is(status, 200, JSON.stringify(body));
  assert.equal(
    reported(await admin.read(open.previewId)).filter((row) => row.includes('s1')),
    [],
  );
  for (const table of ['lms_source_row', 'lms_preview_row', 'lms_person', 'lms_enrollment', 'lms_change']) {
    const rows = await owner(table).where({ organizationId: school.tenant.organizationId });
    assert.not.match(JSON.stringify(rows), /"s1"|A-s1|نورة/, table);
  }
  await admin.upload(rosterSet(start));
  const next = await admin.preview(id);
  const row = rowOf(next, 's1');
  assert.equal([row.action, row.reasonCode, row.external], [
    ...['skip', 'erased_person'],
    { externalId: 's1', fullNameAr: null, email: null, active: true },
  ] as never);
  assert.is(rowOf(next, 's1@A').reasonCode, 'depends_on_other_row');
});

test('the archive of a student names the provider and what it calls the student', async () => {
  await school.commit(await school.connect(start));
  const { id } = await school.userOf('s1');
  const { body } = await app.get<{ sections: { rosters: { lms_person: object[] } } }>(
    `/api/students/${id}/data-export`,
    admin.token,
  );
  const [person] = body.sections.rosters.lms_person as { provider: string; externalId: string }[];
  assert.equal([person?.provider, person?.externalId], ['oneroster', 's1']);
});

test.run();
