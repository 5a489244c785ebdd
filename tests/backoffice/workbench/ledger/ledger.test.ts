// timeout: 180s
// Sealed ledgers: what a superuser of the database changes behind all triggers is found, and named to the row.
import { execFile } from 'node:child_process';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { listLedgerTables } from '#backoffice/workbench/ledger/ledgers.ts';
import { sealLedgers } from '#backoffice/workbench/ledger/seal.ts';
import { verifyChain } from '#backoffice/workbench/ledger/verify.ts';
import { inContext } from '#core/platform/db.ts';
import { exportStudent } from '#identity/people/personal-data/personal-data.ts';
import { nodeArgv } from '../../../harness/programs.ts';
import { flip, useLedger } from './world.ts';

const test = suite('sealed ledgers');
const { shell, owner, student, chain, verify, isPending, seal, byPower, tampered, removed, auditRow } = useLedger(test);

test('every append-only table is a ledger with a number for its rows', async () => {
  const { rows } = await owner.raw(
    `select distinct t.tgrelid::regclass::text as name from pg_trigger t join pg_class c on c.oid = t.tgrelid
     where t.tgfoid = 'refuse_change'::regproc and not c.relispartition`,
  );
  const ledgers = await inContext(owner, 'SUPER', listLedgerTables);
  const names: string[] = rows.map(({ name }: { name: string }) => name);
  assert.equal(ledgers.map(({ table }) => table).sort(), names.filter((name) => name !== 'ledger_segment').sort());
  assert.ok(ledgers.every(({ key }) => key));
});

test('what no one touched holds, and every row is sealed', async () => {
  const proof = await verify();
  assert.is(proof.broken, null);
  assert.is(proof.attested, 1);
  let rows = 0;
  for (const { table, columns } of await inContext(owner, 'SUPER', listLedgerTables)) {
    if (!columns.includes('organization_id')) continue;
    rows += (await owner(table).where({ organizationId: chain() })).length;
  }
  assert.ok(rows > 50);
  assert.is(proof.rows, rows);
  assert.is((await verify('')).broken, null, 'the platform');
});

/** As an operator: its own process, the service's key from the environment. */
async function command(): Promise<{ code: number; text: string }> {
  const { database } = shell.app;
  const env = {
    ...process.env,
    ...{ NODE_ENV: 'test', DATABASE_URL: database.ownerUrl, DATABASE_APP_URL: database.appUrl },
    TOKEN_SIGNING_KEY: Buffer.alloc(32, 1).toString('base64'),
    ...{ TOKEN_ENCRYPTION_KEY: Buffer.alloc(32, 2).toString('base64'), IP_HASH_SALT: 'test' },
  };
  const args = [...nodeArgv('scripts/author/rules.ts'), 'attest', 'verify'];
  return new Promise((resolve) => {
    execFile(process.execPath, args, { env }, (error, stdout) =>
      resolve({ code: error ? Number(error.code) : 0, text: stdout }),
    );
  });
}

test('the operator is shown the first broken row, and the exit code says so', async () => {
  const well = await command();
  assert.is(well.code, 0, well.text);
  assert.match(well.text, new RegExp(`^ok     ${chain()}: \\d+ rows in \\d+ segments, attested 1 times`, 'm'));
  await byPower(flip);
  const broken = await command();
  await byPower(flip);
  assert.is(broken.code, 1);
  assert.match(broken.text, `BROKEN ${chain()}: diagnostic_response row 1: changed`);
});

test('a changed answer', async () => {
  assert.equal(await tampered([flip], [flip]), { table: 'diagnostic_response', key: 1, problem: 'changed' });
});

test('a changed status', async () => {
  const rows = await owner('sse_skill_snapshot')
    .where({ organizationId: chain() })
    .whereNotNull('status')
    .orderBy('id');
  const { id, status } = rows[0];
  const other = rows.find((row) => row.status !== status).status;
  const set = (value: string) => `update sse_skill_snapshot set status = '${value}' where id = ${id}`;
  const broken = await tampered([set(other)], [set(status)]);
  assert.equal(broken, { table: 'sse_skill_snapshot', key: id, problem: 'changed' });
});

test('the results of two children swapped, ids alike everywhere', async () => {
  const tables = ['sse_run', 'sse_skill_snapshot', 'sse_domain_snapshot', 'sse_macro_snapshot', 'sse_response_code'];
  const withStudent = (
    await owner('information_schema.columns').whereIn('table_name', tables).where({ column_name: 'student_id' })
  ).map(({ tableName }: { tableName: string }) => tableName);
  assert.ok(withStudent.includes('sse_run'));
  const swap = withStudent.map(
    (table) => `update ${table} set student_id = ${student().id + student(1).id} - student_id
      where student_id in (${student().id}, ${student(1).id})`,
  );
  const broken = await tampered(swap, swap);
  assert.is(broken?.problem, 'changed');
  assert.match(broken?.table ?? '', /^sse_/);
});

test('a deleted run, the first and the newest, and all runs of a child', async () => {
  const runs = await owner('sse_run').where({ organizationId: chain() }).orderBy('seq').select('seq');
  for (const { seq } of [runs[0], runs.at(-1)]) {
    assert.equal(await removed('sse_run', `seq = ${seq}`), { table: 'sse_run', key: seq, problem: 'missing' });
  }
  const own = await owner('sse_run').where({ studentId: student().id }).orderBy('seq').first('seq');
  const broken = await removed('sse_run', `student_id = ${student().id}`);
  assert.equal(broken, { table: 'sse_run', key: own.seq, problem: 'missing' });
});

test('a changed audit entry, a removed one, and a removed newest one', async () => {
  const [first, last] = await owner('audit_entry').where({ organizationId: chain() }).orderBy('id').select('id');
  const set = (actor: number) => `update audit_entry set actor_user_id = ${actor} where id = ${first.id}`;
  assert.equal(await tampered([set(9)], [set(1)]), { table: 'audit_entry', key: first.id, problem: 'changed' });
  for (const { id } of [first, last]) {
    assert.equal(await removed('audit_entry', `id = ${id}`), { table: 'audit_entry', key: id, problem: 'missing' });
  }
});

test('a row that was added among those that are sealed', async () => {
  const [first] = await owner('audit_entry').where({ organizationId: chain() }).orderBy('id').select('id');
  await removed('audit_entry', `id = ${first.id}`);
  const { broken } = await withRow(first.id);
  assert.equal(broken, { table: 'audit_entry', key: first.id + 1_000, problem: 'not sealed' });
});

async function withRow(id: number) {
  const columns =
    'organization_id, at, actor_user_id, operation, request_id, entity, entity_id, action, changed_fields';
  await byPower(
    `insert into audit_entry (id, ${columns}) overriding system value
      select id + 1000, ${columns} from audit_entry where id = ${id}`,
    "update ledger_mark set sealed = sealed + 2000 where table_name = 'audit_entry'",
  );
  const proof = await verify();
  await byPower(
    `delete from audit_entry where id = ${id} + 1000`,
    "update ledger_mark set sealed = sealed - 2000 where table_name = 'audit_entry'",
  );
  return proof;
}

test('a late commit of a lower number is sealed too', async () => {
  const one = { ...auditRow(), requestId: 'late' };
  const late = await owner.transaction();
  await late('audit_entry').insert(one);
  await owner('audit_entry').insert({ ...one, requestId: 'early' });
  for (let step = 0; step < 4; step += 1) await sealLedgers(shell.services);
  assert.ok(await isPending(), 'nothing is sealed while the lower number is open');
  await late.commit();
  await seal();
  const { broken, rows } = await verify();
  assert.equal([broken, rows > 0], [null, true]);
  const { id } = await owner('audit_entry').where({ requestId: 'late' }).first('id');
  assert.equal(await removed('audit_entry', `id = ${id}`), { table: 'audit_entry', key: id, problem: 'missing' });
});

test('the one who verifies hears of each segment, and the number a row has stands in no archive', async () => {
  const heard: number[] = [];
  const proof = await verifyChain(owner, chain(), shell.services.attester, ({ segments }) => heard.push(segments));
  assert.equal(
    heard,
    Array.from({ length: proof.segments }, (_, at) => at + 1),
  );
  const archive = await inContext(owner, 'SUPER', (trx) =>
    exportStudent(trx, student(), shell.services.personalData, shell.app.clock.now()),
  );
  assert.ok(archive.sections && JSON.stringify(archive).includes('sse_run'));
  assert.not.match(JSON.stringify(archive), /ledger_?no/i);
});

test.run();
