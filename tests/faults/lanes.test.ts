// timeout: 240s
// New rules for a large organization do not delay a student who finishes a session: with real workers, their results
// are stored while the other students are still being recomputed.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inContext } from '#core/platform/db.ts';
import { useDatabase } from '../harness/database.ts';
import { buildClass } from '../harness/factories.ts';
import { installShippedRules } from '../harness/rules.ts';
import { activateInPieces, buildStudents, pieces } from './pieces.ts';
import { buildChild, eventually, finishDiagnostic, isServed, startWorker } from './world.ts';

const test = suite('lanes');
const database = useDatabase(test);
const { owner } = database;
const students = 1_200;
const backlog = 20_000;
const finishes = 5;
const timeoutMs = 60_000;
const freshMs = 5_000;

/** Inserts events without subscribers, in the organization whose rules have changed. */
const queueEvents = (organizationId: string) =>
  inContext(owner, 'SUPER', (trx) =>
    trx.raw(
      `insert into outbox (organization_id, lane, topic, payload, created_at)
       select :organizationId, 1, 'rti.tier_moved', '{}', now() from generate_series(1, :backlog::integer)`,
      { organizationId, backlog },
    ),
  );

test('students who finish are served during a large recompute', async () => {
  await installShippedRules(owner);
  const { organizationId, id: classId } = await buildClass(owner, { grade: 2 });
  await buildStudents(owner, { organizationId, classId, count: students });
  await activateInPieces(owner, 60);
  await queueEvents(organizationId);
  const workers = [await startWorker(database, undefined), await startWorker(database, undefined)];
  const isOpen = async () => (await pieces(owner)).some(({ state }) => state !== 'done');
  try {
    await eventually('the recompute has begun', timeoutMs, async () =>
      (await pieces(owner)).some(({ state }) => state === 'running'),
    );
    const open: boolean[] = [];
    for (let at = 0; at < finishes; at++) {
      const child = await buildChild(owner);
      await finishDiagnostic(owner, child, ['LK_SOUND']);
      await eventually('the child is served', timeoutMs, () => isServed(owner, child));
      open.push(await isOpen());
    }
    assert.ok(open[0], 'the first child was served before the recompute was over');
    // A student counts as served at the commit of the run. The relay receives the events of that run slightly later.
    await eventually('no fresh event waits behind the others', freshMs, async () => {
      const waiting = await inContext(owner, 'SUPER', (trx) => trx('outbox').where({ lane: 0 }).whereNull('relayedAt'));
      return waiting.length === 0;
    });
    await eventually('the recompute ends too', 2 * timeoutMs, async () => !(await isOpen()));
  } finally {
    await Promise.all(workers.map((worker) => worker.stop()));
  }
});

test.run();
