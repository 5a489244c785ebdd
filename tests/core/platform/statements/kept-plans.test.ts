// Prepared statements: for which contexts, for which statements, and what happens if a plan no longer fits.
import { createHash } from 'node:crypto';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { type Db, inContext, isDatabaseDown, runtimeRole, type TenantContext, type Trx } from '#core/platform/db.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { keptPlan } from '#core/platform/statements/kept-plans.ts';
import { connect, useDatabase } from '../../../harness/database.ts';
import { buildSchool, type SchoolRow } from '../../../harness/factories.ts';

const { owner, ownerUrl } = useDatabase(test);
let [own, others]: SchoolRow[] = [];

test.before(async () => {
  [own, others] = [await buildSchool(owner), await buildSchool(owner)];
});

const at = (school: SchoolRow | undefined): TenantContext => ({ organizationId: school?.organizationId ?? '' });

/** One connection, so that the inspected one has the prepared statements. */
async function withConnection(work: (db: Db) => Promise<void>, pooled = false): Promise<void> {
  const db = connect(ownerUrl, { poolSize: 1, pooled, actAs: runtimeRole });
  try {
    await work(db);
  } finally {
    await db.destroy();
  }
}

const schools = `select id from school where organization_id = :organizationId`;
const schoolsOf = (trx: Trx, organizationId: string | undefined) =>
  rowsOf<{ id: string }>(trx, schools, { organizationId: organizationId ?? '' }, keptPlan);
const ask = (db: Db, context: TenantContext, of = own) =>
  inContext(db, context, (trx) => schoolsOf(trx, of?.organizationId));

async function keptBy(db: Db): Promise<string[]> {
  const rows = await rowsOf<{ statement: string }>(db, 'select statement from pg_prepared_statements', {});
  return rows.map(({ statement }) => statement);
}

test('a marked statement is prepared in the context of an organization, another one is not', async () => {
  await withConnection(async (db) => {
    await inContext(db, at(own), (trx) => trx.raw('select 2 as unmarked'));
    await ask(db, at(own));
    await ask(db, at(own));
    assert.equal(await keptBy(db), [schools.replace(':organizationId', '$1')]);
  });
});

test('nothing is prepared in the SUPER context, nor behind a pooler', async () => {
  await withConnection(async (db) => {
    await ask(db, 'SUPER');
    assert.equal(await keptBy(db), []);
  });
  await withConnection(async (db) => {
    await ask(db, at(own));
    assert.equal(await keptBy(db), []);
  }, true);
});

/** PostgreSQL makes five plans for given values, and then a generic one. */
const usesOfPlan = 8;

test('a plan prepared for one organization returns another one its own rows alone', async () => {
  await withConnection(async (db) => {
    for (let use = 0; use < usesOfPlan; use++) {
      assert.equal(await ask(db, at(own)), [{ id: own?.id }]);
      assert.equal(await ask(db, at(own), others), []);
      assert.equal(await ask(db, at(others), others), [{ id: others?.id }]);
      assert.is((await ask(db, 'SUPER', others)).length, 1);
    }
  });
});

test('a statement with * cannot be marked, but count(*) can', async () => {
  await withConnection(async (db) => {
    const marked = (statement: string) => inContext(db, at(own), (trx) => rowsOf(trx, statement, {}, keptPlan));
    const refusal: unknown = await marked('select s.* from school s').catch((error: unknown) => error);
    assert.instance(refusal, RangeError);
    assert.is((await marked('select count(*) from school')).length, 1);
  });
});

test('after the type of a column has changed one caller must retry, and a new connection works', async () => {
  await owner.raw('create table changed (id integer); grant select on changed to literacy_app');
  await withConnection(async (db) => {
    const read = () => inContext(db, at(own), (trx) => rowsOf(trx, 'select id from changed', {}, keptPlan));
    await read();
    await owner.raw('alter table changed alter column id type bigint');
    const refusal: unknown = await read().catch((error: unknown) => error);
    assert.ok(isDatabaseDown(refusal), String(refusal));
    assert.equal(await read(), []);
  });
});

test('a name is derived from its text, so that all processes use the same one', async () => {
  await withConnection(async (db) => {
    await inContext(db, at(own), (trx) => rowsOf(trx, 'select 1 as one', {}, keptPlan));
    await ask(db, at(own));
    const rows = await rowsOf<{ name: string; statement: string }>(
      db,
      'select name, statement from pg_prepared_statements',
      {},
    );
    const hashOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 32);
    assert.is(rows.length, 2);
    for (const { name, statement } of rows) assert.is(name, `kept_${hashOf(statement)}`);
  });
});

test('a session in which another process has prepared the statement counts as down', async () => {
  await withConnection(async (db) => {
    const hash = createHash('sha256').update(schools.replace(':organizationId', '$1')).digest('hex').slice(0, 32);
    await db.raw(`prepare kept_${hash} (text) as select id from school where organization_id = $1`);
    const refusal: unknown = await ask(db, at(own)).catch((error: unknown) => error);
    assert.ok(isDatabaseDown(refusal), String(refusal));
    assert.equal(await ask(db, at(own)), [{ id: own?.id }]);
  });
});

test('a session that has lost its statements counts as down', async () => {
  await withConnection(async (db) => {
    await ask(db, at(own));
    await db.raw('deallocate all');
    const refusal: unknown = await ask(db, at(own)).catch((error: unknown) => error);
    assert.ok(isDatabaseDown(refusal), String(refusal));
    assert.equal(await ask(db, at(own)), [{ id: own?.id }]);
  });
});

test.run();
