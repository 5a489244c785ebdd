// A sync compares before it stores anything: where a preview would do nothing, it writes itself and the connection's times, and
// not one row more; where one would do something, it does the same as that preview.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { inContext } from '#core/platform/db.ts';
import type { LmsConnection } from '#integrations/lms/connections/rows.ts';
import { findConnection } from '#integrations/lms/connections/rows.ts';
import { compareRoster } from '#integrations/lms/scheduled/compare.ts';
import { runSync } from '#integrations/lms/scheduled/run.ts';
import { buildClass, buildUser } from '../../../harness/factories.ts';
import { useApp } from '../../../harness/http.ts';
import { sentStatements } from '../../../harness/statements/sent-statements.ts';
import { buildTenant, type Tenant } from '../../../harness/world.ts';
import { type Person, type Roster, rosterSet } from '../sets.ts';
import { RosterAdmin } from '../walk.ts';
import { rowVersions } from './row-versions.ts';

const app = useApp(test, { rules: true, settings: { LMS_GUARDIAN_IMPORT_ENABLED: 'true' } });
const { owner } = app.database;
const admin = new RosterAdmin(app, () => tenant.people.ADMIN);
let tenant: Tenant;
let classes: readonly number[] = [];

test.before.each(async () => {
  tenant = await buildTenant(app);
  const { organizationId, school } = tenant;
  const made = { organizationId, schoolId: school.id, grade: 3 };
  classes = [(await buildClass(owner, made)).id, (await buildClass(owner, { ...made, name: '3B' })).id];
});

const titles = [
  { id: 'A', title: 'الأول' },
  { id: 'B', title: 'الثاني' },
];
const students = (...ids: string[]): Person[] => ids.map((id) => ({ id, email: `${id}-${classes[0]}@example.com` }));
const inA = (...ids: string[]) => ids.map((person) => ({ course: 'A', person }));
const usual = (): Roster => ({
  classes: titles,
  people: [...students('s1', 's2', 's3'), { id: 't1', role: 'teacher', email: `t1-${classes[0]}@example.com` }],
  enrolled: [...inA('s1', 's2', 's3'), { course: 'A', person: 't1', role: 'teacher', primary: 'true' }],
});

async function connect(roster: Roster): Promise<string> {
  const { body } = await admin.upload(rosterSet(roster));
  await admin.map({ A: classes[0] ?? 0, B: classes[1] ?? 0 });
  return body.id;
}

async function imported(roster: Roster): Promise<string> {
  const id = await connect(roster);
  const { status, body } = await admin.commit((await admin.preview(id)).previewId);
  assert.is(status, 200, JSON.stringify(body));
  return id;
}

async function sync(connectionId: string) {
  const { organizationId } = tenant;
  const { body } = await app.post<{ syncRunId: string }>(
    `/api/lms/connections/${connectionId}/sync-now`,
    {},
    admin.token,
  );
  await runSync(app.services, { organizationId, id: body.syncRunId });
  return owner('lms_sync_run').where({ organizationId, id: body.syncRunId }).first();
}

const writes = (sent: readonly string[]) =>
  sent.flatMap((sql) => /^\s*(?:with .*?)?(?:insert into|update|delete from) "?([a-z_]+)/is.exec(sql)?.[1] ?? []);

test('nothing new: the run and the connection are written, and no other row of any table', async () => {
  const id = await imported(usual());
  const { organizationId } = tenant;
  const { body } = await app.post<{ syncRunId: string }>(`/api/lms/connections/${id}/sync-now`, {}, admin.token);
  const key = { organizationId, id: body.syncRunId };
  const before = await rowVersions(owner);
  const sent = await sentStatements(app.database.app, () => runSync(app.services, key));
  const after = await rowVersions(owner);
  const changed = [...after].filter(([table, rows]) => rows !== before.get(table)).map(([table]) => table);
  assert.equal(changed.sort(), ['lms_connection', 'lms_sync_run']);
  assert.equal([...new Set(writes(sent))].sort(), ['lms_connection', 'lms_sync_run']);
  const run = await owner('lms_sync_run').where(key).first();
  assert.equal([run.state, run.previewId, run.errorCode], ['succeeded', null, null]);
  assert.equal(run.counts, { created: 0, updated: 0, skipped: 8, conflicts: 0 });
  const row = await owner('lms_connection').where({ organizationId, id }).first();
  assert.is(new Date(row.lastSyncAt).getTime(), app.clock.now().getTime());
});

/** What is done between the import and the sync. */
type Doing = (id: string) => Promise<unknown>;
const upload =
  (change: (roster: Required<Roster>) => Roster): Doing =>
  async () => {
    const { status } = await admin.upload(rosterSet(change(usual() as Required<Roster>)));
    assert.is(status, 200);
  };
const userId = async (subject: string): Promise<number> => {
  const { organizationId } = tenant;
  return (await owner('external_identity').where({ organizationId, subject }).first()).userId;
};
const patchUser =
  (subject: string, values: object): Doing =>
  async () =>
    owner('app_user')
      .where({ organizationId: tenant.organizationId, id: await userId(subject) })
      .update(values);
const more = (people: readonly Person[], enrolled: Roster['enrolled'] = []): Doing =>
  upload((roster) => ({
    ...roster,
    people: [...roster.people, ...people],
    enrolled: [...roster.enrolled, ...enrolled],
  }));

const silent: Readonly<Record<string, Doing>> = {
  'the same set again': upload((roster) => roster),
  'a name that was changed here': patchUser('s1', { fullNameAr: 'ريم' }),
  'a principal whom no one imports': more(
    [{ id: 'p1', role: 'principal' }],
    [{ course: 'A', person: 'p1', role: 'principal' }],
  ),
  'a row that cannot be read': more([{ id: 'x1', role: 'wizard' }], inA('x1')),
  'a date of a teacher that cannot be read': upload((roster) => ({
    ...roster,
    enrolled: roster.enrolled.map((one) => (one.role === 'teacher' ? { ...one, from: '2026-13-01' } : one)),
  })),
  'an enrollment of no one': more([], inA('nobody')),
  'a new person who is closed there': more([{ id: 's4', enabled: 'false' }], inA('s4')),
  'an enrollment that has ended before': more(students('s4'), [{ course: 'A', person: 's1', role: 'other' }]),
  'a person who left the class here': async () =>
    owner('enrollment')
      .where({ organizationId: tenant.organizationId, studentId: await userId('s1') })
      .update({ enrolledTo: app.clock.now() }),
  'the same enrollment under two ids': more([], [{ course: 'A', person: 's1', role: 'Student', status: 'inactive' }]),
};

const telling: Readonly<Record<string, Doing>> = {
  'a new student': more(students('s4'), inA('s4')),
  'another name': upload((roster) => ({
    ...roster,
    people: roster.people.map((one) => (one.id === 's2' ? { ...one, given: 'ريم' } : one)),
  })),
  'a name changed on both sides': async (id) => {
    await patchUser('s2', { fullNameAr: 'هند' })(id);
    await telling['another name']?.(id);
  },
  'a person who is named no more': upload((roster) => ({ ...roster, enrolled: roster.enrolled.slice(1) })),
  'a person who is named no more and was moved here': async (id) => {
    const where = { organizationId: tenant.organizationId, studentId: await userId('s1') };
    await owner('enrollment').where(where).update({ classId: classes[1] });
    await telling['a person who is named no more']?.(id);
  },
  'an enrollment that begins again after it was only remembered': upload((roster) => ({
    ...roster,
    enrolled: roster.enrolled.map((one, at) => (at === 0 ? { ...one, status: 'inactive' } : one)),
  })),
  'a second class': more([], [{ course: 'B', person: 's1' }]),
  'a teacher who leaves the class alone': upload((roster) => ({ ...roster, enrolled: roster.enrolled.slice(0, 3) })),
  'an address that two have': upload((roster) => ({
    ...roster,
    people: roster.people.map((one) => (one.id < 's3' ? { ...one, email: 'shared@example.com' } : one)),
  })),
  'an address that two have still, and no one here': async (id) => {
    const email = `shared-${classes[0]}@example.com`;
    await more(
      [
        { id: 's4', email },
        { id: 's5', email },
      ],
      inA('s4', 's5'),
    )(id);
    const { previewId } = await admin.preview(id);
    await admin.resolveAll(previewId, 'ambiguous_email', 'accept_lms');
    assert.is((await admin.commit(previewId)).status, 200);
  },
  'an address of another person here': async () => {
    const other = await buildUser(owner, 'PARENT', { organizationId: tenant.organizationId });
    await more([{ id: 's4', email: other.email ?? '' }], inA('s4'))('');
  },
  'a guardian for a student': more([
    { id: 'g1', role: 'guardian', email: `g-${classes[0]}@example.com`, agents: 's1' },
  ]),
  'a course that is another class': async () => {
    await admin.map({ A: classes[1] ?? 0, B: null });
  },
  'an account whose identity has gone': async () =>
    owner('external_identity').where({ organizationId: tenant.organizationId, subject: 's3' }).delete(),
};

/** Beside what a preview that a person asks for has: whether each of its rows comes to nothing. */
async function bothWays(id: string) {
  const { organizationId } = tenant;
  const connection = (await inContext(owner, { organizationId }, (trx) =>
    findConnection(trx, { organizationId, id }),
  )) as LmsConnection;
  const mapped = await owner('lms_mapping').where({ organizationId, provider: 'oneroster' });
  const order = { connection, courseExternalIds: mapped.map((one) => one.courseExternalId), createdBy: 1 };
  const found = await compareRoster(app.services, order, undefined);
  const { rows, previewId } = await admin.preview(id);
  const stale = await owner('lms_preview_row')
    .where({ organizationId, previewId })
    .whereRaw(`(facts -> 'isStale')::boolean`);
  return { found, rows, comesToNothing: rows.every(({ action }) => action === 'skip') && stale.length === 0 };
}

for (const [what, doing] of Object.entries(silent)) {
  test(`as a preview has it, nothing to do: ${what}`, async () => {
    const id = await imported(usual());
    await doing(id);
    const first = await sync(id);
    assert.is(first.state, 'succeeded');
    const { found, rows, comesToNothing } = await bothWays(id);
    assert.ok(comesToNothing, JSON.stringify(rows.filter(({ action }) => action !== 'skip')));
    assert.equal(found, { unchanged: rows.length });
    const again = await sync(id);
    assert.equal([again.previewId, again.counts.skipped], [null, rows.length]);
  });
}

for (const [what, doing] of Object.entries(telling)) {
  test(`as a preview has it, something to do: ${what}`, async () => {
    const id = await imported(usual());
    await doing(id);
    const { found, rows, comesToNothing } = await bothWays(id);
    assert.not(comesToNothing, JSON.stringify(rows));
    assert.ok('roster' in found, JSON.stringify(found));
  });
}

test.run();
