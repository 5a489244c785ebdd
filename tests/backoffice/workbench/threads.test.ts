// timeout: 180s
// Chunks of a long job that are worked at in threads give what they give one after the other in the worker's own thread;
// a thread that dies is replaced, and its job goes on where its last step ended.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { impactModel, impactModelOf } from '#backoffice/workbench/impact/steps/model.ts';
import { replayModel, replayModelOf } from '#backoffice/workbench/replays/model.ts';
import { startReplay } from '#backoffice/workbench/replays/start.ts';
import { runJob } from '#core/long-jobs/runner.ts';
import type { Services } from '#core/module/services.ts';
import { inContext } from '#core/platform/db.ts';
import { useShell } from '../../assessment/skill-status/shell.ts';
import {
  buildPlace,
  edited,
  january,
  jobOf,
  multiply,
  type Place,
  setConstant,
  startWith,
  storedChange,
  weakGatewaysNoLonger,
} from './impact/world.ts';
import { always, byForce } from './replays/world.ts';

const test = suite('chunks in threads');
const shell = useShell(test);
const { app, services } = shell;
const { owner } = app.database;
const inOneThread = {
  impact: impactModelOf({ stored: 90, gathered: 90 }),
  replay: replayModelOf({ request: 70, nightly: 70 }),
};
const inThreads = { impact: impactModel, replay: replayModel };
let place: Place;

test.before(async () => {
  app.clock.set(january(10));
  place = await buildPlace(shell, 3, 41);
  await multiply(owner, place.organizationId, 330);
  // One whose stored answer differs from what is reported again, in the middle of the line.
  await byForce(
    owner,
    'sse_run',
    `update sse_run set result_hash = 'other' where organization_id = ? and seq % 7 = 0`,
    [place.organizationId],
  );
});

/** The same services, which count what is asked of threads. */
function counting(): Services & { asked: () => number } {
  let asked = 0;
  const chunkThreads: Services['chunkThreads'] = {
    stop: () => services.chunkThreads.stop(),
    run: (...question) => {
      asked += 1;
      return services.chunkThreads.run(...question);
    },
  };
  return { ...services, chunkThreads, asked: () => asked };
}

const keyOf = (id: string) => ({ id, organizationId: place.organizationId });

const shorterWindow = () => edited('dth/dth', (document) => setConstant(document, 'DTH-WIN-01', 1));

for (const [name, document, chunks] of [
  ['from stored runs', weakGatewaysNoLonger, 4],
  ['with evidence gathered anew', shorterWindow, 7],
] as const) {
  test(`an impact ${name} has the same report, to the byte`, async () => {
    const order = { scope: { organizationId: place.organizationId }, asOf: january(10) };
    const change = await storedChange(shell, [document()]);
    const [here, there] = [await startWith(shell, change, order), await startWith(shell, change, order)];
    const [own, other] = [counting(), counting()];
    await runJob(own, [inOneThread.impact], keyOf(here));
    await runJob(other, [inThreads.impact], keyOf(there));
    assert.equal([own.asked(), other.asked()], [0, chunks]);
    const [one, two] = [await jobOf(shell, here), await jobOf(shell, there)];
    assert.is(two.state, 'done');
    assert.ok(two.report.students.evaluated > 330);
    assert.is(two.reportHash, one.reportHash);
  });
}

const askReplay = () =>
  inContext(services.db, 'SUPER', (trx) =>
    startReplay(trx, { scope: { organizationId: place.organizationId }, ...always }, 1, app.clock.now()),
  );

const rowsOfJob = (jobId: string) =>
  owner('rule_replay_row').where({ jobId }).orderBy('id').select('stampId', 'verdict', 'fields');

test('a replay has the same counts, rows and hash', async () => {
  const [here, there] = [await askReplay(), await askReplay()];
  const [own, other] = [counting(), counting()];
  await runJob(own, [inOneThread.replay], keyOf(here));
  await runJob(other, [inThreads.replay], keyOf(there));
  assert.equal([own.asked(), other.asked()], [0, 3]);
  const [one, two] = [await jobOf(shell, here), await jobOf(shell, there)];
  assert.is(two.state, 'done');
  assert.equal(two.report, one.report);
  assert.ok(two.report.counts.rulesDiffer > 30);
  assert.equal(await rowsOfJob(there), await rowsOfJob(here));
});

test('a thread that dies fails its step alone: tried again, the job gives the same report', async () => {
  const [first, second] = [await askReplay(), await askReplay()];
  const dying = {
    ...services,
    chunkThreads: { ...counting().chunkThreads, run: () => services.chunkThreads.run('none', 0) },
  };
  const thrown = await runJob(dying, [inThreads.replay], keyOf(first)).catch((error: Error) => error.message);
  assert.match(String(thrown), 'there is no task none');
  assert.is((await jobOf(shell, first)).state, 'running');
  await services.chunkThreads.stop();
  await runJob(services, [inThreads.replay], keyOf(first));
  await runJob(services, [inOneThread.replay], keyOf(second));
  assert.equal((await jobOf(shell, first)).report, (await jobOf(shell, second)).report);
});

test.run();
