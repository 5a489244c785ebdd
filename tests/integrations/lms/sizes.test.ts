// How much a roster asks of the database: no more statements than it has pages, and no writing where nothing has changed.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { buildPreview } from '#integrations/lms/preview/assemble/build.ts';
import { rowsOfPart } from '#integrations/lms/preview/position-ranges.ts';
import { runSync } from '#integrations/lms/scheduled/run.ts';
import { buildClass } from '../../harness/factories.ts';
import { useApp } from '../../harness/http.ts';
import { sentStatements } from '../../harness/statements/sent-statements.ts';
import { buildTenant, type Tenant } from '../../harness/world.ts';
import { rosterSet } from './sets.ts';
import { RosterAdmin } from './walk.ts';

const app = useApp(test, { rules: true });
const { owner } = app.database;
let tenant: Tenant;
let classId = 0;
const admin = new RosterAdmin(app, () => tenant.people.ADMIN);

const arrange = async () => {
  tenant = await buildTenant(app);
  const { organizationId, school } = tenant;
  classId = (await buildClass(owner, { organizationId, schoolId: school.id, grade: 3 })).id;
};
test.before.each(arrange);

async function connect(count: number): Promise<string> {
  const people = Array.from({ length: count }, (_, at) => ({
    id: `${count}-${at}`,
    email: `s${count}-${at}-${classId}@example.com`,
  }));
  const enrolled = people.map(({ id }) => ({ course: 'A', person: id }));
  const { body } = await admin.upload(rosterSet({ classes: [{ id: 'A', title: 'الأول' }], people, enrolled }));
  await admin.map({ A: classId });
  return body.id;
}

async function askedPreview(connectionId: string): Promise<string> {
  const { status, body } = await admin.ask(connectionId);
  assert.is(status, 201, JSON.stringify(body));
  return body.previewId;
}

async function statementsOf(count: number) {
  const previewId = await askedPreview(await connect(count));
  const build = () => buildPreview(app.services, { organizationId: tenant.organizationId, id: previewId });
  const preview = (await sentStatements(app.database.app, build)).length;
  const committed: { status: number; body: unknown }[] = [];
  const commit = await sentStatements(app.database.app, async () => void committed.push(await admin.commit(previewId)));
  assert.equal(committed[0]?.body, { created: 2 * count, updated: 0, skipped: 0, conflicts_remaining: 0 });
  const [run] = await owner('lms_sync_run').where({ organizationId: tenant.organizationId, previewId }).select('id');
  const reverted: { status: number; body: unknown }[] = [];
  const path = `/api/lms/sync-runs/${run?.id}/revert`;
  const revert = await sentStatements(
    app.database.app,
    async () => void reverted.push(await app.post(path, {}, admin.token)),
  );
  assert.equal(reverted[0]?.body, { reverted: 2 * count, kept: 0 });
  return { preview, commit: commit.length, revert: revert.length };
}

test('a roster of fifty times as many rows, which still is one page, sends the same statements', async () => {
  const few = await statementsOf(5);
  await arrange();
  const many = await statementsOf(rowsOfPart);
  assert.equal(many, few);
});

const versions = {
  app_user: 'id',
  sign_in_name: 'user_id',
  external_identity: 'subject',
  enrollment: 'id',
  class: 'id',
  class_teacher: 'teacher_user_id',
  parent_student: 'child_id',
  lms_person: 'external_id',
  lms_enrollment: 'person_external_id',
  lms_mapping: 'course_external_id',
  lms_source_row: "file || ' ' || external_id",
  lms_change: 'row_id',
} as const;

/** A row that is written again has another one, whatever it says. */
async function versionsOf(organizationId: string) {
  const tables = Object.entries(versions).map(async ([table, key]) => {
    const { rows } = await owner.raw(
      `select (${key})::text as key, xmin::text, cmax::text from ${table} where organization_id = ? order by 1, 2`,
      [organizationId],
    );
    return [table, rows] as const;
  });
  return Object.fromEntries(await Promise.all(tables));
}

async function sync(connectionId: string) {
  const { organizationId } = tenant;
  const { status, body } = await app.post<{ syncRunId: string }>(
    `/api/lms/connections/${connectionId}/sync-now`,
    {},
    admin.token,
  );
  assert.is(status, 202, JSON.stringify(body));
  await runSync(app.services, { organizationId, id: body.syncRunId });
  return owner('lms_sync_run').where({ organizationId, id: body.syncRunId }).first();
}

test('a sync that finds nothing new writes its run, and no row of any person', async () => {
  const connectionId = await connect(30);
  const { previewId } = await admin.preview(connectionId);
  assert.is((await admin.commit(previewId)).status, 200);
  const before = await versionsOf(tenant.organizationId);
  assert.is(before.lms_person?.length, 30);
  assert.is(before.lms_change?.length, 60);
  const run = await sync(connectionId);
  assert.is(run.state, 'succeeded');
  assert.equal(run.counts, { created: 0, updated: 0, skipped: 60, conflicts: 0 });
  assert.equal(await versionsOf(tenant.organizationId), before);
});

test.run();
