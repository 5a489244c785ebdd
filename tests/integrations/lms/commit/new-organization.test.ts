// What a commit, the sync after it and its revert read of an organization that is newer than PostgreSQL's statistics grows with its rows, and
// no faster: rows that are fetched are counted, by PostgreSQL itself.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { inContext, type Trx } from '#core/platform/db.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { commitPreview } from '#integrations/lms/commit/commit.ts';
import { buildPreview } from '#integrations/lms/preview/assemble/build.ts';
import { revertRun } from '#integrations/lms/runs/revert.ts';
import { LmsSyncRun } from '#integrations/lms/runs/rows.ts';
import { compareRoster } from '#integrations/lms/scheduled/compare.ts';
import { connect } from '../../../harness/database.ts';
import { buildClass } from '../../../harness/factories.ts';
import { useApp } from '../../../harness/http.ts';
import { buildTenant, type Tenant } from '../../../harness/world.ts';
import { rosterSet } from '../sets.ts';
import { RosterAdmin } from '../walk.ts';

const app = useApp(test, { rules: true });
const { owner } = app.database;
let tenant: Tenant;
const admin = new RosterAdmin(app, () => tenant.people.ADMIN);
const classSize = 5;

/** A roster of so many people in small classes, connected and mapped, and the preview of it. */
async function previewOf(people: number): Promise<string> {
  tenant = await buildTenant(app);
  const { organizationId, school } = tenant;
  const courses = Array.from({ length: people / classSize }, (_, at) => ({ id: `c-${at}`, title: `فصل ${at}` }));
  const ids = Array.from({ length: people }, (_, at) => `p-${at}`);
  const enrolled = ids.map((person, at) => ({ course: `c-${Math.floor(at / classSize)}`, person }));
  const { body } = await admin.upload(rosterSet({ classes: courses, people: ids.map((id) => ({ id })), enrolled }));
  const mappings: Record<string, number> = {};
  for (const { id } of courses) {
    mappings[id] = (await buildClass(owner, { organizationId, schoolId: school.id, grade: 3 })).id;
  }
  await admin.map(mappings);
  const asked = await admin.ask(body.id);
  await buildPreview(app.services, { organizationId, id: asked.body.previewId });
  return asked.body.previewId;
}

const written = ['app_user', 'external_identity', 'lms_mapping', 'lms_person', 'lms_enrollment', 'class', 'enrollment'];

/** Rows that PostgreSQL has fetched for the transaction, foreign keys included. */
async function fetchedRows(trx: Trx): Promise<number> {
  const [row] = await rowsOf<{ fetched: number }>(
    trx,
    `select coalesce(sum(coalesce(idx_tup_fetch, 0) + seq_tup_read), 0)::integer as fetched
     from pg_stat_xact_user_tables where relname = any (:written)`,
    { written },
  );
  return row?.fetched ?? 0;
}

const clock = () => app.clock.now();

/** So large that no table is read from one end to the other instead of by an index. */
async function knownToStatistics(people: number): Promise<void> {
  const previewId = await previewOf(people);
  const { organizationId } = tenant;
  await inContext(app.database.app, { organizationId }, (trx) =>
    commitPreview(trx, { organizationId, id: previewId }, clock),
  );
  await owner.raw('analyze');
}

async function fetchedFor(people: number) {
  const previewId = await previewOf(people);
  const { organizationId } = tenant;
  const inOwn = (work: (trx: Trx) => Promise<unknown>) =>
    inContext(app.database.app, { organizationId }, async (trx) => {
      await work(trx);
      return fetchedRows(trx);
    });
  const commit = await inOwn((trx) => commitPreview(trx, { organizationId, id: previewId }, clock));
  const sync = await fetchedBySync(people);
  const run = await owner('lms_sync_run').where({ organizationId, previewId }).first('id');
  const revert = await inOwn(async (trx) => {
    const row = await LmsSyncRun.query(trx).findById([organizationId, run.id]);
    assert.ok(row);
    await revertRun(trx, row, { skipChanged: false, clock });
  });
  return { commit, sync, revert };
}

/** Of all its transactions: those of one connection, which tells what it has counted when it is asked to. */
async function fetchedBySync(people: number): Promise<number> {
  const { organizationId } = tenant;
  const db = connect(app.database.appUrl, { poolSize: 1 });
  try {
    const connection = await owner('lms_connection')
      .where({ organizationId })
      .first('organizationId', 'id', 'provider');
    const mapped = await owner('lms_mapping').where({ organizationId }).select('courseExternalId');
    const before = await fetchedSoFar();
    const found = await compareRoster(
      { ...app.services, db },
      {
        connection,
        courseExternalIds: mapped.map(({ courseExternalId }) => courseExternalId),
        createdBy: tenant.people.ADMIN.id,
      },
      undefined,
    );
    assert.equal(found, { unchanged: 2 * people });
    await db.raw('select pg_stat_force_next_flush()');
    return (await fetchedSoFar()) - before;
  } finally {
    await db.destroy();
  }
}

async function fetchedSoFar(): Promise<number> {
  const [row] = await rowsOf<{ fetched: number }>(
    owner,
    `select coalesce(sum(coalesce(idx_tup_fetch, 0) + seq_tup_read), 0)::integer as fetched
     from pg_stat_user_tables where relname = any (:written)`,
    { written },
  );
  return row?.fetched ?? 0;
}

test('what a session has planned while there were few accounts is not used for many', async () => {
  const db = connect(app.database.appUrl, { poolSize: 1 });
  const committed = async (people: number) => {
    const id = await previewOf(people);
    const { organizationId } = tenant;
    return inContext(db, { organizationId }, async (trx) => {
      await commitPreview(trx, { organizationId, id }, clock);
      const [row] = await rowsOf<{ fetched: number }>(
        trx,
        `select (idx_tup_fetch + seq_tup_read)::integer as fetched from pg_stat_xact_user_tables where relname = 'app_user'`,
        {},
      );
      return row?.fetched ?? 0;
    });
  };
  try {
    await committed(250);
    const fetched = await committed(2_000);
    assert.ok(fetched < 200 * 2_000, `${fetched} accounts were read for 2,000`);
  } finally {
    await db.destroy();
  }
});

test('ten times the people, ten times the rows that are fetched', async () => {
  await knownToStatistics(2_400);
  const few = await fetchedFor(60);
  const many = await fetchedFor(600);
  for (const step of ['commit', 'sync', 'revert'] as const) {
    assert.ok(many[step] < 12 * few[step], `${step}: ${few[step]} of 60, ${many[step]} of 600`);
  }
});

test.run();
