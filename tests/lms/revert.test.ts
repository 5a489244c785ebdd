// What a commit has done can be taken back once; whoever is erased does not come back with the next roster.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { buildClass, type ClassRow } from '../support/factories.ts';
import { useApp } from '../support/http.ts';
import { buildTenant, type Tenant } from '../support/world.ts';
import { type Roster, rosterSet } from './sets.ts';
import { RosterAdmin, rowOf, told } from './walk.ts';

const app = useApp(test, { rules: true });
const { owner } = app.database;
let tenant: Tenant;
let [first, second]: ClassRow[] = [];
const admin = new RosterAdmin(app, () => tenant.people.ADMIN);

test.before.each(async () => {
  await owner('sign_in_name').where({ email: 'haya@school.example' }).delete();
  tenant = await buildTenant(app);
  const { organizationId, school } = tenant;
  first = await buildClass(owner, { organizationId, schoolId: school.id, grade: 3 });
  second = await buildClass(owner, { organizationId, schoolId: school.id, grade: 3 });
});

const classes = [
  { id: 'A', title: 'الأول' },
  { id: 'B', title: 'الثاني' },
];
const start: Roster = {
  classes,
  people: [{ id: 's1' }, { id: 's2', given: 'ريم' }],
  enrolled: [
    { course: 'A', person: 's1' },
    { course: 'A', person: 's2' },
  ],
};

async function connect(roster: Roster): Promise<string> {
  const { body } = await admin.upload(rosterSet(roster));
  await admin.map({ A: first?.id ?? 0, B: second?.id ?? 0 });
  return body.id;
}

async function commit(connectionId: string): Promise<string> {
  const { previewId } = await admin.preview(connectionId);
  const { status, body } = await admin.commit(previewId);
  assert.is(status, 200, JSON.stringify(body));
  return runOf(previewId);
}

async function runOf(previewId: string): Promise<string> {
  const runs = await app.get<{ items: { syncRunId: string; previewId: string }[] }>('/api/lms/sync-runs', admin.token);
  return runs.body.items.find((run) => run.previewId === previewId)?.syncRunId ?? '';
}

const revert = (runId: string, body: object = {}) =>
  app.post<Record<string, unknown>>(`/api/lms/sync-runs/${runId}/revert`, body, admin.token);

const userOf = async (subject: string) => {
  const { organizationId } = tenant;
  const link = await owner('external_identity').where({ organizationId, provider: 'oneroster', subject }).first();
  return link && owner('app_user').where({ organizationId, id: link.userId }).first();
};
const openClass = async (userId: number) =>
  (await owner('enrollment').where({ studentId: userId }).whereNull('enrolledTo').first())?.classId ?? null;

test('a first import taken back: accounts are closed, nobody is in the classes, and a second word is refused', async () => {
  const run = await commit(await connect(start));
  assert.equal((await revert(run)).body, { reverted: 4, kept: 0 });
  const made = await userOf('s1');
  assert.equal([made.status, await openClass(made.id)], ['inactive', null]);
  const again = await revert(run);
  assert.equal([again.status, (again.body.details as object[])[0]], [409, { field: '', issue: 'reverted' }]);
});

test('a move and a new name taken back', async () => {
  const id = await connect(start);
  await commit(id);
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
  const run = await commit(id);
  const moved = await userOf('s1');
  assert.equal([moved.fullNameAr, await openClass(moved.id)], ['هيا العتيبي', second?.id]);
  assert.equal((await revert(run)).body, { reverted: 2, kept: 0 });
  assert.equal([(await userOf('s1')).fullNameAr, await openClass(moved.id)], ['نورة العتيبي', first?.id]);
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
  const id = await connect(begun);
  await commit(id);
  await admin.upload(rosterSet(changedRoster));
  const before = await proposed(id);
  const run = await commit(id);
  assert.equal((await revert(run)).status, 200);
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
  await commit(id);
  const [s1, s3] = [await userOf('s1'), await userOf('s3')];
  assert.equal([s1.fullNameAr, s1.email, await openClass(s1.id)], ['هيا العتيبي', 'haya@school.example', second?.id]);
  assert.equal([s3.status, await openClass(s3.id)], ['active', first?.id]);
});

test('a conflict that was decided for what is here is asked again after the commit was taken back', async () => {
  const id = await connect(start);
  await commit(id);
  await owner('app_user')
    .where({ id: (await userOf('s2')).id })
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
  const run = await runOf(previewId);
  assert.is(rowOf(await admin.preview(id), 's2').reasonCode, 'kept_local');
  assert.equal((await revert(run)).body, { reverted: 1, kept: 0 });
  const next = await admin.preview(id);
  assert.equal([rowOf(next, 's1').reasonCode, rowOf(next, 's2').reasonCode], ['changed', 'local_newer']);
});

test('of a row that is kept, what is remembered stays too', async () => {
  const id = await connect(begun);
  await commit(id);
  await admin.upload(rosterSet(changedRoster));
  const run = await commit(id);
  const { id: userId } = await userOf('s1');
  await owner('app_user').where({ id: userId }).update({ fullNameAr: 'اسم هنا' });
  await owner('enrollment').where({ studentId: userId, enrolledTo: null }).update({ enrolledTo: '2099-01-01' });
  assert.is((await revert(run, { skipChanged: true })).body.kept, 2);
  const next = await admin.preview(id);
  assert.equal([rowOf(next, 's1').reasonCode, rowOf(next, 's1@B').reasonCode], ['kept_local', 'kept_local']);
  assert.is(rowOf(next, 's2').reasonCode, 'changed');
});

test('what was changed since is named, and nothing is written; or it is kept', async () => {
  const run = await commit(await connect(start));
  const { id } = await userOf('s2');
  await owner('app_user').where({ id }).update({ fullNameAr: 'اسم هنا' });
  const refused = await revert(run);
  const details = refused.body.details as { issue: string }[];
  assert.equal([refused.status, details.map(({ issue }) => issue)], [409, ['changed_since']]);
  assert.is((await userOf('s1')).status, 'active');
  assert.equal((await revert(run, { skipChanged: true })).body, { reverted: 3, kept: 1 });
  assert.equal([(await userOf('s1')).status, (await userOf('s2')).status], ['inactive', 'active']);
});

test('an erased student leaves sets and previews, and the next roster brings no name', async () => {
  const id = await connect(start);
  await commit(id);
  const open = await admin.preview(id);
  const { id: userId } = await userOf('s1');
  const { status, body } = await app.post(`/api/students/${userId}/erasure`, {}, admin.token);
  assert.is(status, 200, JSON.stringify(body));
  assert.equal(
    told(await admin.read(open.previewId)).filter((row) => row.includes('s1')),
    [],
  );
  for (const table of ['lms_source_row', 'lms_preview_row', 'lms_person', 'lms_enrollment', 'lms_change']) {
    const rows = await owner(table).where({ organizationId: tenant.organizationId });
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
  await commit(await connect(start));
  const { id } = await userOf('s1');
  const { body } = await app.get<{ sections: { rosters: { lms_person: object[] } } }>(
    `/api/students/${id}/data-export`,
    admin.token,
  );
  const [person] = body.sections.rosters.lms_person as { provider: string; externalId: string }[];
  assert.equal([person?.provider, person?.externalId], ['oneroster', 's1']);
});

test.run();
