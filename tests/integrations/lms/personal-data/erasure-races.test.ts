// A person who is erased while a roster is written goes out of it, whichever table is being written: each writer is stopped in
// the middle of its row, the erasure is asked for, and then the writer goes on.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { newId } from '#core/platform/ids.ts';
import { runSync } from '#integrations/lms/scheduled/run.ts';
import { eventually, lockWaits } from '../../../harness/eventually.ts';
import { courses as classes, useSchool } from '../school.ts';
import { type Roster, rosterSet } from '../sets.ts';

const school = useSchool(test, { settings: { LMS_GUARDIAN_IMPORT_ENABLED: 'true' } });
const { app, admin, owner } = school;

const name = 'سفانة';
const stop = 417_903;
const email = `${newId()}@home.example`;

/** The child is in one of the courses; who comes with it makes a sync do something. */
const roster = (course: string, given: string, others: readonly string[] = []): Roster => ({
  classes,
  people: [
    { id: 'child', given, agents: 'guardian' },
    { id: 'guardian', role: 'guardian', email },
    ...others.map((id) => ({ id })),
  ],
  enrolled: [{ course, person: 'child' }, ...others.map((person) => ({ course: 'A', person }))],
});

/** Where a roster may say something of a person. `lms_source_row` keeps the row of the person, without a name. */
const namesOf = async (): Promise<string> => {
  const { organizationId } = school.tenant;
  const texts: string[] = [];
  for (const table of tablesOfPeople) {
    const rows = await owner(table).where({ organizationId });
    const text = JSON.stringify(table === 'lms_source_row' ? rows.map(({ content }) => content) : rows);
    if (text.includes(name) || (table !== 'lms_source_row' && text.includes('"child"')))
      texts.push(`${table}: ${text}`);
  }
  return texts.join('\n');
};

const tablesOfPeople = [
  ...['lms_change', 'lms_enrollment', 'lms_person', 'lms_preview_row', 'lms_source_row'],
  ...['lms_staged_enrollment', 'lms_staged_person'],
] as const;

test('those are the tables of rosters that say anything of any person', async () => {
  const { rows } = await owner.raw(`
    select distinct table_name as name from information_schema.columns where table_schema = 'public' and table_name like 'lms_%'
      and column_name in ('full_name_ar', 'content', 'facts', 'after', 'person_external_id', 'external_id')`);
  assert.equal(rows.map((row: { name: string }) => row.name).sort(), tablesOfPeople);
});

const sync = async (connectionId: string) => {
  const { organizationId } = school.tenant;
  const path = `/api/lms/connections/${connectionId}/sync-now`;
  const { body } = await app.post<{ syncRunId: string }>(path, {}, admin.token);
  await runSync(app.services, { organizationId, id: body.syncRunId });
};

type Writer = (connectionId: string) => Promise<unknown>;
const build: Writer = (id) => admin.preview(id);
/** What is uploaded before, and then written; the preview before a commit is made ready. */
const writers: readonly (readonly [string, string, string, Writer | 'commit'])[] = [
  ['a set that is uploaded again', 'lms_source_row', 'person_id', () => admin.upload(rosterSet(roster('B', name)))],
  ['a set that is uploaded again', 'lms_source_row', 'external_id', () => admin.upload(rosterSet(roster('B', name)))],
  ['a preview', 'lms_staged_person', 'external_id', build],
  ['a preview', 'lms_staged_enrollment', 'person_external_id', build],
  ['a preview, of people', 'lms_preview_row', 'person_external_id', build],
  ['a sync', 'lms_staged_person', 'external_id', sync],
  ['a sync, of people', 'lms_preview_row', 'person_external_id', sync],
  ['a commit', 'lms_person', 'external_id', 'commit'],
  ['a commit', 'lms_enrollment', 'person_external_id', 'commit'],
];

/** The one who writes a row of the child waits for as long as `holder` has the lock. */
const stopAt = (table: string, column: string, entity: string) =>
  owner.raw(`
    create or replace function stop_writer() returns trigger language plpgsql as $$
    begin
      if new.${column} = 'child' and ${entity} then perform pg_advisory_xact_lock_shared(${stop}); end if;
      return new;
    end $$;
    create trigger stop_writer before insert on ${table} for each row execute function stop_writer();`);

async function erasedDuring(table: string, column: string, write: () => Promise<unknown>, entity = 'true') {
  const { id: studentId } = await school.userOf('child');
  const holder = await owner.transaction();
  const answers: Promise<unknown>[] = [];
  let isErased = false;
  try {
    await holder.raw('select pg_advisory_xact_lock(?)', [stop]);
    await stopAt(table, column, entity);
    answers.push(write());
    await eventually('the writer is stopped', async () => (await lockWaits(owner)) >= 1);
    const erasure = app.post(`/api/students/${studentId}/erasure`, {}, admin.token);
    answers.push(erasure.then(({ status }) => assert.is(status, 200)).then(() => (isErased = true)));
    await eventually('the erasure waits too, or is done', async () => isErased || (await lockWaits(owner)) >= 2);
  } finally {
    await holder.rollback();
  }
  await Promise.all(answers);
  await owner.raw(`drop trigger stop_writer on ${table}`);
}

for (const [what, table, column, writer] of writers) {
  test(`erased while ${what} writes ${table}.${column}: nothing of the child is left`, async () => {
    await owner('sign_in_name').where({ email }).delete();
    const id = await school.imported(roster('A', name));
    await admin.upload(rosterSet(roster('B', `${name} هند`, ['new'])));
    const ready = writer === 'commit' ? await admin.preview(id) : undefined;
    const write = () => (ready || writer === 'commit' ? admin.commit(ready?.previewId ?? '') : writer(id));
    await erasedDuring(table, column, write);
    assert.is(await namesOf(), '');
  });
}

test('erased while the enrollments of a preview are written: nothing of the child is left', async () => {
  await owner('sign_in_name').where({ email }).delete();
  const id = await school.imported(roster('A', name));
  await erasedDuring('lms_preview_row', 'person_external_id', () => admin.preview(id), "new.entity = 'enrollment'");
  assert.is(await namesOf(), '');
});

test('a set that names a person who was erased is stored without the name, and the preview skips the person', async () => {
  await owner('sign_in_name').where({ email }).delete();
  const id = await school.imported(roster('A', name));
  const { id: studentId } = await school.userOf('child');
  assert.is((await app.post(`/api/students/${studentId}/erasure`, {}, admin.token)).status, 200);
  for (const mode of ['bulk', 'delta'] as const) {
    assert.is((await admin.upload(rosterSet({ ...roster('A', name), mode }))).status, 200);
    const { rows } = await admin.preview(id);
    const row = rows.find(({ external }) => 'externalId' in external && external.externalId === 'child');
    assert.equal([row?.action, row?.reasonCode], ['skip', 'erased_person'], mode);
    const stored = await owner('lms_source_row').where({ organizationId: school.tenant.organizationId });
    assert.not(JSON.stringify(stored).includes(name), mode);
  }
});

test.run();
