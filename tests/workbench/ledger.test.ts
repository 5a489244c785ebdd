// timeout: 180s
// Sealed ledgers: what a superuser of the database changes behind all triggers is found, and named to the row.
import { execFile } from 'node:child_process';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inContext } from '../../src/platform/db.ts';
import { sha256Hex } from '../../src/platform/pure/canonical-json.ts';
import { attestHead, createAttester } from '../../src/workbench/ledger/attest.ts';
import { ledgerRows, ledgersOf, type Segment, segmentHash } from '../../src/workbench/ledger/ledgers.ts';
import { sealLedgers } from '../../src/workbench/ledger/seal.ts';
import { type Broken, verifyChain } from '../../src/workbench/ledger/verify.ts';
import { eventually } from '../faults/world.ts';
import type { Student } from '../skill-status-shell/shell.ts';
import { buildRuns, useReplays } from './replays-world.ts';

const test = suite('sealed ledgers');
const world = useReplays(test);
const { shell, owner } = world;
let student: Student;
let neighbour: Student;

const chain = () => student.organizationId;
const verify = (of = chain()) => verifyChain(shell.services.db, of, shell.services.attester);
const isPending = async () => (await owner('ledger_mark').whereNotNull('pending')).length > 0;

/** Other databases of the server may hold a transaction open for a while. */
async function seal(): Promise<void> {
  await sealLedgers(shell.services);
  await eventually('all is sealed', 60_000, async () => {
    await sealLedgers(shell.services);
    return !(await isPending());
  });
}

/** As superuser, with all triggers and foreign keys disabled. */
const byPower = (...statements: string[]) =>
  owner.transaction(async (trx) => {
    await trx.raw("set local session_replication_role = 'replica'");
    for (const statement of statements) await trx.raw(statement);
  });

/** What is found while the change stands. */
async function tampered(change: readonly string[], undo: readonly string[]): Promise<Broken | null> {
  await byPower(...change);
  const { broken } = await verify();
  await byPower(...undo);
  assert.is((await verify()).broken, null, 'all is as it was');
  return broken;
}

const removed = (table: string, where: string) =>
  tampered(
    [`create table kept as select * from ${table} where ${where}`, `delete from ${table} where ${where}`],
    [`insert into ${table} overriding system value select * from kept`, 'drop table kept'],
  );

const auditRow = () => ({
  ...{ organizationId: chain(), at: shell.app.clock.now(), actorUserId: 1, operation: 'test', requestId: 'r' },
  ...{ entity: 'class', entityId: '1', action: 'insert', changedFields: [] },
});

test.before(async () => {
  student = await shell.student();
  neighbour = await shell.student({ organizationId: student.organizationId });
  for (const one of [student, neighbour]) await buildRuns(shell, one);
  for (const actorUserId of [1, 2]) await owner('audit_entry').insert({ ...auditRow(), actorUserId });
  await seal();
  await attestHead(shell.services, chain());
});

test('every append-only table is a ledger with a number for its rows', async () => {
  const { rows } = await owner.raw(
    "select distinct tgrelid::regclass::text as name from pg_trigger where tgfoid = 'refuse_change'::regproc",
  );
  const ledgers = await inContext(owner, 'SUPER', ledgersOf);
  const names: string[] = rows.map(({ name }: { name: string }) => name);
  assert.equal(ledgers.map(({ table }) => table).sort(), names.filter((name) => name !== 'ledger_segment').sort());
  assert.ok(ledgers.every(({ key }) => key));
});

test('what nobody touched holds, and every row is sealed', async () => {
  const proof = await verify();
  assert.is(proof.broken, null);
  assert.is(proof.attested, 1);
  let rows = 0;
  for (const { table, columns } of await inContext(owner, 'SUPER', ledgersOf)) {
    if (!columns.includes('organization_id')) continue;
    rows += (await owner(table).where({ organizationId: chain() })).length;
  }
  assert.ok(rows > 50);
  assert.is(proof.rows, rows);
  assert.is((await verify('')).broken, null, 'the platform');
});

const flip = `update diagnostic_response set correct = not correct
  where (session_id, seq) = (select session_id, seq from diagnostic_response order by ledger_no limit 1)`;

/** As an operator: its own process, the service's key from the environment. */
async function command(): Promise<{ code: number; text: string }> {
  const { database } = shell.app;
  const env = {
    ...process.env,
    ...{ NODE_ENV: 'test', DATABASE_URL: database.ownerUrl, DATABASE_APP_URL: database.appUrl },
    TOKEN_SIGNING_KEY: Buffer.alloc(32, 1).toString('base64'),
    ...{ TOKEN_ENCRYPTION_KEY: Buffer.alloc(32, 2).toString('base64'), IP_HASH_SALT: 'test' },
  };
  const args = ['--import', 'tsx', 'scripts/rules.ts', 'attest', 'verify'];
  return new Promise((resolve) => {
    execFile(process.execPath, args, { env }, (error, stdout) =>
      resolve({ code: error ? Number(error.code) : 0, text: stdout }),
    );
  });
}

test('the operator is told the first broken row, and the exit code says so', async () => {
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
    (table) => `update ${table} set student_id = ${student.id + neighbour.id} - student_id
      where student_id in (${student.id}, ${neighbour.id})`,
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
  const own = await owner('sse_run').where({ studentId: student.id }).orderBy('seq').first('seq');
  const broken = await removed('sse_run', `student_id = ${student.id}`);
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

/** A chain that fits the data as they are now, all hashes made again. */
async function rewritten(segments: readonly Segment[]): Promise<Segment[]> {
  const ledgers = await inContext(owner, 'SUPER', ledgersOf);
  const made: Segment[] = [];
  for (const segment of segments) {
    const ledger = ledgers.find(({ table }) => table === segment.tableName);
    assert.ok(ledger);
    const range = { after: (segment.keys[0] ?? 0) - 1, through: segment.keys.at(-1) ?? 0, limit: 500, chain: chain() };
    const rows = await inContext(owner, 'SUPER', (trx) => ledgerRows(trx, ledger, range));
    const digests = rows.map(({ digest }) => digest).join('');
    const draft = { ...segment, digests, previousHash: made.at(-1)?.hash ?? '' };
    made.push({ ...draft, hash: segmentHash(draft) });
  }
  return made;
}

const put = (segments: readonly Segment[]) =>
  segments.map(
    ({ seq, digests, previousHash, hash }) =>
      `update ledger_segment set digests = '${digests}', previous_hash = '${previousHash}', hash = '${hash}'
        where chain = '${chain()}' and seq = ${seq}`,
  );

test('a chain that was rewritten to fit a changed answer: one digest of it, and all of it', async () => {
  const before: Segment[] = await owner('ledger_segment').where({ chain: chain() }).orderBy('seq');
  await byPower(flip);
  const forged = await rewritten(before);
  const at = forged.findIndex(({ digests }, place) => digests !== before[place]?.digests);
  assert.is(before[at]?.tableName, 'diagnostic_response');
  await byPower(...put(forged.slice(at, at + 1)));
  const one = await verify();
  await byPower(...put(forged));
  const all = await verify();
  await byPower(flip, ...put(before));
  assert.equal(one.broken, { table: 'ledger_segment', key: at + 2, problem: 'chain broken' });
  assert.equal(all.broken, { table: 'rule_attestation', key: (await newest()).id, problem: 'not as attested' });
  assert.is((await verify()).broken, null);
});

test('a chain that was cut off at its end', async () => {
  const { seq } = await owner('ledger_segment').where({ chain: chain() }).orderBy('seq', 'desc').first();
  const broken = await removed('ledger_segment', `chain = '${chain()}' and seq = ${seq}`);
  assert.equal(broken, { table: 'rule_attestation', key: (await newest()).id, problem: 'not as attested' });
});

const newest = () => owner('rule_attestation').orderBy('id', 'desc').first();

test('an attestation that somebody without the key has made, for a chain made again', async () => {
  const { id, payload, previousHash, hash } = await newest();
  const { ledger } = JSON.parse(payload);
  const forger = createAttester([Buffer.alloc(32, 9)]);
  const text = JSON.stringify({ ledger, signature: forger.sign(ledger) });
  const set = (one: string, its: string) =>
    `update rule_attestation set payload = '${one}', hash = '${its}' where id = ${id}`;
  const broken = await tampered([set(text, sha256Hex(previousHash + text))], [set(payload, hash)]);
  assert.equal(broken, { table: 'rule_attestation', key: id, problem: 'bad signature' });
});

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

test.run();
