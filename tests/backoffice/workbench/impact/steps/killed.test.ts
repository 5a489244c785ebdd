// timeout: 420s
// A worker process that is killed, or asked to stop, in the middle of an impact: another one goes on, and the report has the
// same bytes.
import { setTimeout as after } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { useShell } from '../../../../assessment/skill-status/shell.ts';
import { eventually, startWorker } from '../../../../faults/world.ts';
import {
  buildPlace,
  january,
  jobOf,
  multiply,
  startWith,
  storedChange,
  weakGatewaysNoLonger,
  workOn,
} from '../world.ts';

const test = suite('a killed worker in the middle of an impact');
const shell = useShell(test);
const { database } = shell.app;
const { owner } = database;
const patienceMs = 90_000;
/** Steps of five hundred: two whole ones and what is left. */
const students = 1_100;
/** What a stop may last. */
const stopMs = 15_000;
/** In which a process that waits hears a signal. */
const heardMs = 250;

let organizationId: string;
let evaluated: number;
let change: Awaited<ReturnType<typeof storedChange>>;
/** Of a job that no one disturbed. */
let reportHash: string | null;

/** The one who has finished a first step waits for this lock before the next one is written down. */
const gate = '77, 1';

const stopAfterFirstStep = `
  create function wait_at_gate() returns trigger language plpgsql as $$
    begin perform pg_advisory_xact_lock(${gate}); return new; end $$;
  create trigger wait_at_gate before update on rule_job for each row
    when (old.done > 0 and new.done > old.done) execute function wait_at_gate()`;

const ordered = () => startWith(shell, change, { scope: { organizationId }, asOf: january(10) });

test.before(async () => {
  shell.app.clock.set(january(10));
  const place = await buildPlace(shell, 3, 21);
  organizationId = place.organizationId;
  evaluated = students + place.studentIds.length;
  await multiply(owner, organizationId, students);
  change = await storedChange(shell, [weakGatewaysNoLonger()]);
  const undisturbed = await ordered();
  await workOn(shell, undisturbed);
  ({ reportHash } = await jobOf(shell, undisturbed));
  await owner.raw(stopAfterFirstStep);
});

/** Does something to a new job whose first step is done, and whose next one cannot be written yet; answers its id. */
async function inTheMiddle(work: () => Promise<unknown>): Promise<string> {
  const closed = await owner.transaction();
  try {
    await closed.raw(`select pg_advisory_xact_lock(${gate})`);
    const id = await ordered();
    await eventually('the job is in the middle', patienceMs, async () => (await jobOf(shell, id)).done > 0);
    await work();
    return id;
  } finally {
    await closed.rollback();
  }
}

async function assertReport(id: string): Promise<void> {
  const job = await jobOf(shell, id);
  assert.equal([job.state, job.reportHash], ['done', reportHash]);
  assert.is(job.report.students.evaluated, evaluated);
}

test('kill -9 between the first step and the last', async () => {
  const first = await startWorker(database, undefined);
  const id = await inTheMiddle(() => first.kill());
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

test('a worker that is asked to stop ends in time, its threads with it; what it was at is gone on with at once', async () => {
  const worker = await startWorker(database, undefined);
  let stopped: Promise<void> | undefined;
  let from = 0;
  const id = await inTheMiddle(async () => {
    from = performance.now();
    stopped = worker.stop();
    await after(heardMs);
  });
  await stopped;
  assert.ok(performance.now() - from < stopMs, `stopped after ${performance.now() - from} ms`);
  assert.is(worker.process.exitCode, 0);
  await workOn(shell, id);
  await assertReport(id);
});

test.run();
