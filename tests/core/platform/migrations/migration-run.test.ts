// A migration beside running processes: it waits briefly, retries, and names the blocking process when it gives up.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { ConfigError } from '#core/platform/config/settings.ts';
import type { Db } from '#core/platform/db.ts';
import { withMigrationLock } from '#core/platform/migrations/migrate.ts';
import { type LockRetries, type Migration, runMigration } from '#core/platform/migrations/migration-run.ts';
import { concurrentIndex } from '../../../../migrations/sql/concurrent-index.ts';
import { connect, useDatabase } from '../../../harness/database.ts';

// Before the connections close.
test.after(async () => {
  await owner('knex_migrations').where('name', 'like', '2999%').delete();
  await owner.raw('alter table school drop column if exists lit, drop column if exists wet');
  await owner.raw('drop table crowded');
});

const { owner, ownerUrl } = useDatabase(test);
const database = { owner, ownerUrl };
const brief: LockRetries = { tries: 3, lockTimeoutMs: 700, pauseMs: 50 };
const name = (kind: string) => `29990101_01-${kind}.expand`;

const addColumn = (column: string): Migration => ({
  async up(knex) {
    await knex.raw(`alter table school add column ${column} text`);
  },
});

const hasColumn = async (column: string) => (await owner('school').columnInfo(column as never)) as { type?: string };
const isRecorded = async (kind: string) => (await owner('knex_migrations').where({ name: name(kind) })).length === 1;

test.before(() => owner.raw('create table crowded (id integer primary key, word text)'));

/** Reads a table in a transaction that stays open until the test ends it. */
async function whileHeld(statement: string, work: (pid: number, letGo: () => Promise<void>) => Promise<void>) {
  const other: Db = connect(ownerUrl, { poolSize: 1, statementTimeoutMs: null, asOwner: true });
  const trx = await other.transaction();
  try {
    const { rows } = await trx.raw('select pg_backend_pid() as pid');
    await trx.raw(statement);
    await work(rows[0].pid, async () => void (await trx.rollback()));
  } finally {
    if (!trx.isCompleted()) await trx.rollback();
    await other.destroy();
  }
}

test('an endless reader stops it and is named: process, age and query; nothing is changed or recorded', async () => {
  await whileHeld('select count(*) as "those who are in the way", pg_sleep(1.2) from school', async (pid) => {
    const from = performance.now();
    const error = await runMigration(database, name('stopped'), addColumn('lit'), brief).catch(
      (thrown: Error) => thrown,
    );
    const tookMs = performance.now() - from;
    assert.instance(error, ConfigError);
    const message = String(error?.message);
    assert.match(message, `migration ${name('stopped')} gave up after 3 tries: process ${pid} has held its lock for `);
    assert.match(message, /for [1-9]\d* s \(idle in transaction\): select count/);
    assert.not.match(message, /\n/);
    assert.ok(message.length < 300);
    assert.ok(tookMs >= 3 * brief.lockTimeoutMs, `${tookMs} ms`);
  });
  assert.is((await hasColumn('lit'))?.type, undefined);
  assert.not.ok(await isRecorded('stopped'));
});

test('others are blocked no longer than one try lasts', async () => {
  await whileHeld('select 1 from school', async () => {
    const running = runMigration(database, name('polite'), addColumn('wet'), { ...brief, pauseMs: 1_000 }).catch(
      () => {},
    );
    await new Promise((resolve) => setTimeout(resolve, 200));
    const from = performance.now();
    await owner('school').count('*');
    assert.ok(performance.now() - from < 5_000);
    await running;
  });
});

test('after a reader has ended the next try succeeds', async () => {
  await whileHeld('select 1 from school', async (_pid, letGo) => {
    const running = runMigration(database, name('patient'), addColumn('lit'), { ...brief, tries: 20 });
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    await letGo();
    await running;
  });
  assert.is((await hasColumn('lit'))?.type, 'text');
  assert.ok(await isRecorded('patient'));
});

test('any other error stops it at once, and rolls back its changes', async () => {
  let tries = 0;
  const wrong: Migration = {
    async up(knex) {
      tries += 1;
      await knex.raw('alter table school add column wet text');
      await knex.raw('select no_such_column from school');
    },
  };
  const error = await runMigration(database, name('wrong'), wrong, brief).catch((thrown: Error) => thrown);
  assert.match(String(error?.message), 'no_such_column');
  assert.is(tries, 1);
  assert.is((await hasColumn('wet'))?.type, undefined);
});

test('an index is created while the table is written to, and again after an interruption', async () => {
  const index: Migration = {
    config: { transaction: false },
    up: (knex) => concurrentIndex(knex, { name: 'crowded_word', table: 'crowded', on: '(word)', unique: true }),
  };
  await owner('crowded').insert([
    { id: 1, word: 'twice' },
    { id: 2, word: 'twice' },
  ]);
  const error = await runMigration(database, name('index'), index, brief).catch((thrown: Error) => thrown);
  assert.match(String(error?.message), 'could not create unique index');
  assert.not.ok(await isRecorded('index'));
  await owner('crowded').where({ id: 2 }).update({ word: 'once' });
  await whileHeld("insert into crowded values (3, 'another')", async (_pid, letGo) => {
    const running = runMigration(database, name('index'), index, brief);
    await new Promise((resolve) => setTimeout(resolve, 200));
    await owner('crowded').insert({ id: 4, word: 'meanwhile' });
    await letGo();
    await running;
  });
  const { rows } = await owner.raw(`select indisvalid from pg_index where indexrelid = 'crowded_word'::regclass`);
  assert.equal(rows, [{ indisvalid: true }]);
  assert.ok(await isRecorded('index'));
});

test('a partitioned table gets an index on each partition, and new ones have it too', async () => {
  await owner.raw(`create table split (year text, word text) partition by list (year);
    create table split_one partition of split for values in ('1'); create table split_rest partition of split default`);
  const index: Migration = {
    config: { transaction: false },
    up: (knex) => concurrentIndex(knex, { name: 'split_word', table: 'split', on: '(word)' }),
  };
  await runMigration(database, name('parts'), index, brief);
  await owner.raw(`create table split_two partition of split for values in ('2')`);
  const { rows } = await owner.raw(`select tablename, indexdef like '%(word)' as is_it from pg_indexes
    where tablename like 'split%' order by 1`);
  const parts = ['split', 'split_one', 'split_rest', 'split_two'];
  assert.equal(
    rows,
    parts.map((tablename) => ({ tablename, is_it: true })),
  );
  const { rows: frame } = await owner.raw(`select indisvalid from pg_index where indexrelid = 'split_word'::regclass`);
  assert.equal(frame, [{ indisvalid: true }]);
  await index.up(owner);
  await owner.raw('drop table split');
});

test('several processes start at once, and one of them creates an index without a deadlock', async () => {
  const index: Migration = {
    config: { transaction: false },
    up: (knex) => concurrentIndex(knex, { name: 'crowded_id', table: 'crowded', on: '(id)' }),
  };
  const from = performance.now();
  await withMigrationLock(ownerUrl, async () => {
    const second = withMigrationLock(ownerUrl, async () => {});
    await new Promise((resolve) => setTimeout(resolve, 300));
    await runMigration(database, name('beside'), index, brief);
    return { second };
  }).then(({ second }) => second);
  assert.ok(performance.now() - from < 20_000);
});

test.run();
