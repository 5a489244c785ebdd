// The partitions of ledgers for the present and the next school year exist before the first row.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { makeLedgerYears } from '#backoffice/operations/ledger-years.ts';
import { inContext } from '#core/platform/db.ts';
import { newId } from '#core/platform/ids.ts';
import { buildStudent } from '../harness/factories.ts';
import { useApp } from '../harness/http.ts';

const app = useApp(test, { rules: true, ownStatements: true });
const { owner, app: runtime } = app.database;

const partsOf = async (ledger: string): Promise<string[]> => {
  const { rows } = await owner.raw(
    'select inhrelid::regclass::text as part from pg_inherits where inhparent = ?::regclass order by 1',
    [ledger],
  );
  return rows.map(({ part }: { part: string }) => part);
};

async function log(schoolYear: string): Promise<string> {
  const { id: studentId, organizationId } = await buildStudent(owner);
  const row = { organizationId, studentId, schoolYear, source: 'practice', sessionId: newId(), at: app.clock.now() };
  await owner('rbm_log').insert({ ...row, flags: [], facts: '{}', markedSeqs: [], ruleVersion: 'RBM@1' });
  const { rows } = await owner.raw('select tableoid::regclass::text as part from rbm_log where student_id = ?', [
    studentId,
  ]);
  return rows[0].part;
}

test('before the job a year is in the default partition; after it the present and the next have their own', async () => {
  app.clock.set(new Date('2027-03-01T00:00:00.000Z'));
  assert.is(await log('2025-2026'), 'rbm_log_default');
  await makeLedgerYears(app.services);
  assert.equal(await partsOf('sse_run'), ['sse_run_2026_2027', 'sse_run_2027_2028', 'sse_run_default']);
  assert.equal(
    [await log('2026-2027'), await log('2027-2028'), await log('2030-2031')],
    ['rbm_log_2026_2027', 'rbm_log_2027_2028', 'rbm_log_default'],
  );
  await makeLedgerYears(app.services);
  assert.is((await partsOf('rbm_log')).length, 3, 'a second time changes nothing');
});

test('a year with rows stays in the default partition, and the other ledgers get theirs', async () => {
  app.clock.set(new Date('2031-01-01T00:00:00.000Z'));
  await makeLedgerYears(app.services);
  assert.not((await partsOf('rbm_log')).includes('rbm_log_2030_2031'));
  assert.ok((await partsOf('rbm_log')).includes('rbm_log_2031_2032'));
  assert.ok((await partsOf('sse_run')).includes('sse_run_2030_2031'));
});

test('processes that start at the same time create each partition once, and none of them fails', async () => {
  app.clock.set(new Date('2045-03-01T00:00:00.000Z'));
  await Promise.all(Array.from({ length: 4 }, () => makeLedgerYears(app.services)));
  assert.ok((await partsOf('sse_run')).includes('sse_run_2045_2046'));
});

test('a partition refuses update and truncate as its ledger does, and rows are inserted through the ledger alone', async () => {
  for (const sql of ['truncate rbm_log_2026_2027', 'delete from rbm_log_2026_2027', 'truncate rbm_log'])
    assert.match(String(await owner.raw(sql).catch((error: unknown) => error)), 'append-only', sql);
  const direct = inContext(runtime, 'SUPER', (trx) => trx.raw('select from rbm_log_2026_2027'));
  assert.match(String(await direct.catch((error: unknown) => error)), 'permission denied');
});

test('writers are never aborted; the partition is created the next time', async () => {
  const year = '2040-2041';
  const { id: studentId, organizationId } = await buildStudent(owner);
  const make = () =>
    inContext(runtime, 'SUPER', (trx) => trx.raw('select make_ledger_part(?, ?) as made', ['rbm_log', year]));
  const refused = await owner.transaction(async (trx) => {
    await trx.raw('lock table app_user in row exclusive mode');
    const making = make().then(
      () => 'made',
      (error: unknown) => String(error),
    );
    await trx.raw('select pg_sleep(0.05)');
    const row = { organizationId, studentId, schoolYear: year, source: 'practice', sessionId: newId() };
    await trx('rbm_log').insert({
      ...row,
      at: app.clock.now(),
      flags: [],
      facts: '{}',
      markedSeqs: [],
      ruleVersion: 'RBM@1',
    });
    return making;
  });
  assert.match(refused, 'lock timeout');
  const { rows } = await owner.raw('select count(*)::integer as rows from rbm_log where school_year = ?', [year]);
  assert.is(rows[0].rows, 1);
});

test('only partitions of ledgers can be created, and not by the role of one organization', async () => {
  const make = (context: Parameters<typeof inContext>[1], ledger: string, year: string) =>
    inContext(runtime, context, (trx) => trx.raw('select make_ledger_part(?, ?)', [ledger, year])).catch(String);
  assert.match(await make({ organizationId: 'x' }, 'rbm_log', '2040-2041'), 'permission denied');
  assert.match(await make('SUPER', 'school', '2040-2041'), 'is not split');
  assert.match(await make('SUPER', 'rbm_log', "2040-2041'); drop table school; --"), 'a school year is written');
  assert.match(await make('SUPER', 'rbm_log', '2040-2042'), 'a school year is written');
});

test.run();
