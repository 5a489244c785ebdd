// Locks are taken in one order and through one list. Advisory locks share one number space in the database: no two are the
// same.
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import {
  acquireNamedLock,
  lockNames,
  lockNumbers,
  lockOrder,
  lockTables,
  tryLock,
  tryNamed,
} from '#core/platform/locks.ts';
import { useDatabase } from '../../harness/database.ts';

const { app } = useDatabase(test);
const root = path.resolve(import.meta.dirname, '../../..');
const list = 'src/core/platform/locks.ts';
/** The migration lock is taken on a connection without a transaction; the trigger of the chain takes its lock itself. */
const others: Readonly<Record<string, RegExp>> = {
  'src/core/platform/migrations/migrate.ts': /pg_try_advisory_lock\(\$1\) as taken', \[lockNumbers\.migration\]/,
  'migrations/20261122_12-long-jobs.ts': new RegExp(`pg_advisory_xact_lock\\(${lockNumbers.attestation}\\)`),
};

const filesIn = (folder: string): string[] =>
  fs
    .readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => path.posix.join(folder, name));

test('every lock is taken through the list', () => {
  const takers = ['src', 'migrations', 'workers', 'scripts', 'bench']
    .flatMap(filesIn)
    .filter((name) => /pg_(try_)?advisory/.test(fs.readFileSync(path.join(root, name), 'utf8')));
  assert.equal(takers.sort(), [list, ...Object.keys(others)].sort());
  for (const [name, allowed] of Object.entries(others)) {
    const text = fs.readFileSync(path.join(root, name), 'utf8');
    assert.match(text, allowed, name);
    assert.is(text.match(/pg_(try_)?advisory/g)?.length, 1, name);
  }
});

/** The guard of approvals locks what it reads, in the transaction that has locked the text. */
const rowLocks: Readonly<Record<string, RegExp>> = {
  [list]: /for no key update/,
  'migrations/20261122_11-workbench.ts': /from rule_draft d where d\.id = new\.draft_id for update/,
  'migrations/20261130_01-rule-changes.expand.ts': /from rule_change c where c\.id = new\.change_id for update/,
};

test('rows are locked through the list too', () => {
  const locking =
    /\bfor (no key update|update|share|key share)\b(?! of| to| it)|\.for(Update|Share|NoKeyUpdate|KeyShare)\(/;
  const takers = ['src', 'migrations', 'workers', 'scripts', 'bench']
    .flatMap(filesIn)
    .filter((name) => locking.test(codeOf(fs.readFileSync(path.join(root, name), 'utf8'))));
  assert.equal(takers.sort(), Object.keys(rowLocks).sort());
  for (const [name, allowed] of Object.entries(rowLocks)) {
    assert.match(fs.readFileSync(path.join(root, name), 'utf8'), allowed, name);
  }
});

const codeOf = (text: string): string => text.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');

test('docs/architecture.md names the locks in their order', () => {
  const text = fs.readFileSync(path.join(root, 'docs/architecture.md'), 'utf8');
  const [, written = ''] = /<!-- locks -->([\s\S]*?)<!-- \/locks -->/.exec(text) ?? [];
  assert.equal(
    [...written.matchAll(/`(\w+)`/g)].map(([, name]) => name),
    lockOrder.map(([name]) => name),
  );
});

test('no lock has two names', () => {
  const tables = Object.values(lockTables).flat();
  assert.is(new Set(tables).size, tables.length);
});

test('no number is used twice, and no name is a prefix of another', () => {
  const numbers = Object.values(lockNumbers);
  assert.is(new Set(numbers).size, numbers.length);
  const names = Object.values(lockNames);
  for (const [at, name] of names.entries()) {
    assert.not.ok(
      names.some((other, index) => index !== at && other.startsWith(name)),
      name,
    );
  }
});

test('each lock excludes itself and no other', async () => {
  const keys = Object.keys(lockNumbers) as (keyof typeof lockNumbers)[];
  for (const held of keys) {
    await app.transaction(async (holder) => {
      assert.ok(await tryLock(holder, held));
      const free = await app.transaction(async (trx) => {
        const answers = [];
        for (const key of keys) if (await tryLock(trx, key)) answers.push(key);
        return answers;
      });
      assert.equal(
        free,
        keys.filter((key) => key !== held),
      );
    });
  }
});

test('a named lock excludes its own key of its own name', async () => {
  await app.transaction(async (holder) => {
    await acquireNamedLock(holder, 'skillStatus', 2);
    assert.equal(await app.transaction((trx) => tryNamed(trx, 'skillStatus', [1, 2, 3])), [1, 3]);
    assert.equal(await app.transaction((trx) => tryNamed(trx, 'subFlags', [1, 2, 3])), [1, 2, 3]);
  });
});

test.run();
