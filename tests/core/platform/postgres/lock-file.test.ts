// The owner of a folder: one living process, or none after its end, however it ended.
import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import {
  acquireLockFile,
  lockFileOwner,
  processStart,
  recordAddress,
  releaseLockFile,
} from '#core/platform/postgres/lock-file.ts';

const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'claim-test-'));
const file = path.join(dir, 'claimed');
test.before.each(() => fs.rmSync(file, { force: true }));
test.after(() => fs.rmSync(dir, { recursive: true, force: true }));

const lockFileSource = path.resolve('src/core/platform/postgres/lock-file.ts');

/** Another process that claims the file, prints what it found, and lives until it is killed. */
async function claimant(): Promise<{ child: ChildProcess; found: string }> {
  const program = `import { acquireLockFile } from ${JSON.stringify(lockFileSource)};
    console.log(JSON.stringify(acquireLockFile(${JSON.stringify(file)}) ?? null));
    setInterval(() => {}, 1000);`;
  const argv = ['--import', 'tsx', '--input-type=module', '--eval', program];
  const child = spawn(process.execPath, argv, { stdio: ['ignore', 'pipe', 'inherit'] });
  const found = await new Promise<string>((resolve) =>
    child.stdout?.once('data', (line) => resolve(String(line).trim())),
  );
  return { child, found };
}

async function kill(child: ChildProcess): Promise<void> {
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await gone;
}

test('the first process owns it, later ones learn its owner and address, and it can be released', () => {
  assert.is(acquireLockFile(file), undefined);
  recordAddress(file, 'http://127.0.0.1:1');
  assert.is(acquireLockFile(file)?.address, 'http://127.0.0.1:1');
  assert.is(acquireLockFile(file)?.pid, process.pid);
  assert.is(fs.statSync(file).mode & 0o077, 0);
  releaseLockFile(file);
  assert.is(fs.existsSync(file), false);
});

test('of five processes at once one owns it; after its kill -9 the next one does', async () => {
  const claimants = await Promise.all(Array.from({ length: 5 }, claimant));
  const winners = claimants.filter(({ found }) => found === 'null');
  assert.is(winners.length, 1);
  for (const { child } of claimants) await kill(child);
  assert.is(lockFileOwner(file), undefined);
  assert.is(acquireLockFile(file), undefined);
  assert.equal(fs.readdirSync(dir), ['claimed'], 'nothing is left beside it');
});

test('a process with the same id that started at another time is another process', () => {
  fs.writeFileSync(file, JSON.stringify({ pid: process.pid, began: 'another moment' }));
  assert.is(lockFileOwner(file), undefined);
  assert.is(acquireLockFile(file), undefined);
  assert.is(lockFileOwner(file)?.began, processStart(process.pid));
});

for (const content of ['', '{', 'null', '42', '{"pid":"x"}']) {
  test(`a file that holds ${JSON.stringify(content)} has no owner`, () => {
    fs.writeFileSync(file, content);
    assert.is(acquireLockFile(file), undefined);
  });
}

test('a folder of another process is not released', async () => {
  const { child } = await claimant();
  releaseLockFile(file);
  assert.is(lockFileOwner(file)?.pid, child.pid);
  await kill(child);
});

test.run();
