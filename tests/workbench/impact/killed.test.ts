// timeout: 420s
// A worker process that is killed, or told to stop, in the middle of an impact: another one goes on, and the report has the
// same bytes.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { eventually, startWorker } from '../../faults/world.ts';
import { useShell } from '../../skill-status/shell.ts';
import { buildDraft, buildPlace, january, jobOf, multiply, startWith, weakGatewaysNoLonger, workOn } from './world.ts';

const test = suite('a killed worker in the middle of an impact');
const shell = useShell(test);
const { database } = shell.app;
const { owner } = database;
const patienceMs = 90_000;
const students = 3_000;
/** What a stop may last. */
const stopMs = 15_000;

let organizationId: string;
let evaluated: number;
let draft: Awaited<ReturnType<typeof buildDraft>>;
/** Of a job that nobody disturbed. */
let reportHash: string | null;

const ordered = () => startWith(shell, draft, { scope: { organizationId }, asOf: january(10) });

test.before(async () => {
  shell.app.clock.set(january(10));
  const place = await buildPlace(shell, 3, 21);
  organizationId = place.organizationId;
  evaluated = students + place.studentIds.length;
  await multiply(owner, organizationId, students);
  draft = await buildDraft(shell, weakGatewaysNoLonger());
  const undisturbed = await ordered();
  await workOn(shell, undisturbed);
  ({ reportHash } = await jobOf(shell, undisturbed));
});

async function inTheMiddle(id: string): Promise<void> {
  await eventually('the job is in the middle', patienceMs, async () => (await jobOf(shell, id)).done > 0);
}

async function assertReport(id: string): Promise<void> {
  const job = await jobOf(shell, id);
  assert.equal([job.state, job.reportHash], ['done', reportHash]);
  assert.is(job.report.students.evaluated, evaluated);
}

test('kill -9 between the first step and the last', async () => {
  const first = await startWorker(database, undefined);
  const id = await ordered();
  await inTheMiddle(id);
  await first.kill();
  const interrupted = await jobOf(shell, id);
  assert.is(interrupted.state, 'running');
  assert.ok(interrupted.done < students, `killed after ${interrupted.done}`);
  const second = await startWorker(database, undefined);
  try {
    await eventually('another worker ends it', patienceMs, async () => (await jobOf(shell, id)).state === 'done');
  } finally {
    await second.stop();
  }
  await assertReport(id);
});

test('a worker that is told to stop ends in time, its threads with it; what it was at is gone on with at once', async () => {
  const worker = await startWorker(database, undefined);
  const id = await ordered();
  await inTheMiddle(id);
  const from = performance.now();
  await worker.stop();
  assert.ok(performance.now() - from < stopMs, `stopped after ${performance.now() - from} ms`);
  assert.is(worker.process.exitCode, 0);
  await workOn(shell, id);
  await assertReport(id);
});

test.run();
