// Test files of a shared process are separate: output, failures, open resources and crashes belong to one file.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { findTestFiles } from '../../../scripts/test/files.ts';
import { startSharedProcess } from '../../../scripts/test/shared-process.ts';

const shared = startSharedProcess(process.env.TEST_PROGRAMS ?? '', process.env);
test.after(() => shared.close());
const never = new AbortController().signal;

const run = (fixture: string, timeoutMs = 60_000, process = shared, signal = never) =>
  process.run(
    { name: `tests/harness/run-files/${fixture}.ts`, timeoutMs, ownProcess: false, waits: false, alone: false },
    { DATABASE_URL: `of ${fixture}` },
    signal,
  );

/** Each test that breaks its process has a process of its own. */
async function runAlone(fixture: string, timeoutMs?: number, signal?: AbortSignal) {
  const alone = startSharedProcess(process.env.TEST_PROGRAMS ?? '', process.env, 200);
  const { failed, trouble } = await run(fixture, timeoutMs, alone, signal);
  const spent = alone.isSpent();
  alone.close();
  return { failed, trouble, spent };
}

test('each file has its own counts, output and database, one after another', async () => {
  const failing = await run('failing');
  assert.equal({ passed: failing.passed, failed: failing.failed }, { passed: 1, failed: 1 });
  assert.equal(
    failing.skipped.map(({ what }) => what),
    ['the sextant'],
  );
  const next = await run('sees-database');
  assert.equal(
    { passed: next.passed, failed: next.failed, trouble: next.trouble },
    { passed: 1, failed: 0, trouble: undefined },
  );
  assert.match(next.output, 'given: of sees-database');
  assert.not.match(next.output, 'sextant');
});

test('a file that forgot to run fails, also after one that ran', async () => {
  const { failed, trouble } = await run('silent');
  assert.equal({ failed, trouble }, { failed: 1, trouble: 'ran no test' });
  assert.not.ok(shared.isSpent());
});

test('a failed hook reports its error, and only its tests fail', async () => {
  const { passed, failed, trouble, output } = await run('broken-hook');
  assert.equal({ passed, failed, trouble }, { passed: 1, failed: 1, trouble: undefined });
  assert.match(output, /A hook before the tests failed: Error: the reason\n\s+at .*broken-hook\.ts:7/);
  assert.not.ok(shared.isSpent());
});

test('an open resource fails its file and ends the process', async () => {
  const { failed, trouble, spent } = await runAlone('leaking');
  assert.equal({ failed, spent }, { failed: 1, spent: true });
  assert.is(trouble, 'did not end after its last test: something is still open (TCPServerWrap)');
});

test('a crash is the failure of the file that ran', async () => {
  const { failed, trouble, spent } = await runAlone('crashing');
  assert.equal({ failed, spent }, { failed: 1, spent: true });
  assert.is(trouble, 'ended before its last test, with exit code 1');
});

test('a file that takes too long is stopped with its process', async () => {
  const { failed, trouble, spent } = await runAlone('waiting', 500);
  assert.equal({ failed, trouble, spent }, { failed: 1, trouble: 'took longer than 0.5 s', spent: true });
});

test('a run that is stopped stops the file', async () => {
  const { failed, trouble, spent } = await runAlone('waiting', 60_000, AbortSignal.timeout(500));
  assert.equal({ failed, trouble, spent }, { failed: 1, trouble: 'was stopped', spent: true });
});

test('a file that measures its process has one of its own, and states why in its first lines', () => {
  const own = findTestFiles([])
    .filter(({ ownProcess }) => ownProcess)
    .map(({ name }) => name);
  assert.equal(own.sort(), [
    'tests/backoffice/workbench/validation/hostile-drafts.test.ts',
    'tests/core/http/checks/unread-body.test.ts',
    'tests/core/platform/process/heap.test.ts',
  ]);
});

test.run();
