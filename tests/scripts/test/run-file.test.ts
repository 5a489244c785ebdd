// The counts of the runner: failures, tests skipped on this machine, and files that forgot to run.
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { findTestFiles } from '../../../scripts/test/files.ts';
import { runTestFile } from '../../../scripts/test/run-file.ts';

const run = (fixture: string) =>
  runTestFile(
    { name: `tests/harness/run-files/${fixture}.ts`, timeoutMs: 30_000, ownProcess: true, waits: false, alone: false },
    process.env,
    new AbortController().signal,
  );

test('a file whose tests are all skipped has not failed, and its reasons are reported', async () => {
  const { passed, failed, skipped, trouble } = await run('all-skipped');
  assert.equal({ passed, failed, trouble }, { passed: 0, failed: 0, trouble: undefined });
  assert.equal(skipped, [{ what: 'the abacus', why: 'needs an abacus' }]);
});

test('a file that runs nothing and skips nothing has failed', async () => {
  const { failed, trouble } = await run('silent');
  assert.equal({ failed, trouble }, { failed: 1, trouble: 'ran no test' });
});

test('a failure counts beside what was skipped', async () => {
  const { passed, failed, skipped } = await run('failing');
  assert.equal({ passed, failed, skipped: skipped.length }, { passed: 1, failed: 1, skipped: 1 });
});

test('a failed hook reports its error, and only its tests fail', async () => {
  const { passed, failed, trouble, output } = await run('broken-hook');
  assert.equal({ passed, failed, trouble }, { passed: 1, failed: 1, trouble: undefined });
  assert.match(output, /A hook before the tests failed: Error: the reason/);
});

test('final hooks run after all others, in any order of registration', async () => {
  const { passed, output } = await run('closing');
  assert.is(passed, 1);
  assert.ok(output.indexOf('still open') >= 0 && output.indexOf('closed') > output.indexOf('still open'), output);
});

test('every test has long database timeouts: connections are opened in one module', () => {
  const impatient = fs
    .readdirSync('tests', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && name !== path.join('harness', 'database.ts'))
    .filter((name) => {
      const text = fs.readFileSync(path.join('tests', name), 'utf8');
      return /import \{[^}]*\bconnect\b[^}]*\} from '#core\/platform\/db\.ts'/.test(text);
    });
  assert.equal(impatient, []);
});

test('no test file skips silently: one module provides Redis, and a skipped test has a reason', () => {
  const files = fs
    .readdirSync('tests', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && name !== path.join('harness', 'needs.ts'));
  const silent = files.filter((name) => {
    const text = fs.readFileSync(path.join('tests', name), 'utf8');
    const asksRedis = /process\.env\.TEST_REDIS_URL/.test(text);
    const skipsMutely = /\b\w+\.skip\b/.test(text) && !/\bskipped\(/.test(text);
    return (asksRedis || skipsMutely) && !name.endsWith('run-file.test.ts');
  });
  assert.equal(silent, []);
});

test('the first lines of a file state that it waits, or measures time and runs alone', () => {
  const saying = (name: string) => findTestFiles([name]).map(({ waits, alone }) => [waits, alone]);
  assert.equal(saying('tests/start/stopping.test.ts'), [[true, false]]);
  assert.equal(saying('tests/start/folder.test.ts'), [[false, true]]);
  assert.equal(saying('tests/scripts/test/run-file.test.ts'), [[false, false]]);
});

test.run();
