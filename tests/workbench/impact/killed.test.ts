// timeout: 240s
// A worker process that is killed in the middle of an impact: another one goes on, and the report has the same bytes.
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

test('kill -9 between the first step and the last', async () => {
  shell.app.clock.set(january(10));
  const { organizationId, studentIds } = await buildPlace(shell, 3, 21);
  await multiply(owner, organizationId, students);
  const draft = await buildDraft(shell, weakGatewaysNoLonger());
  const order = { scope: { organizationId }, asOf: january(10) };
  const undisturbed = await startWith(shell, draft, order);
  await workOn(shell, undisturbed);
  const first = await startWorker(database, undefined);
  const id = await startWith(shell, draft, order);
  await eventually('the job is in the middle', patienceMs, async () => (await jobOf(shell, id)).done > 0);
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
  const [one, other] = [await jobOf(shell, undisturbed), await jobOf(shell, id)];
  assert.is(other.reportHash, one.reportHash);
  assert.is(other.report.students.evaluated, students + studentIds.length);
});

test.run();
