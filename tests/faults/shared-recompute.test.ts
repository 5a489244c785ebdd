// timeout: 240s
// New rules for a whole organization: the work lies in pieces that all workers take from. One worker is killed, one is told
// to stop; the others go on where they were, and no student is judged twice.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inContext } from '../../src/platform/db.ts';
import { appendActivation, lockActivations } from '../../src/rulesets/index.ts';
import { orderRecomputes } from '../../src/workbench/activation/recompute.ts';
import { useDatabase } from '../support/database.ts';
import { buildClass } from '../support/factories.ts';
import { installShippedRules } from '../support/rules.ts';
import { installVersion, nextVersion } from '../workbench/backoffice.ts';
import { eventually, startWorker } from './world.ts';

const test = suite('a recompute that several workers share');
const database = useDatabase(test);
const { owner } = database;
const patienceMs = 90_000;
const students = 1_500;
const pieceSize = 300;
/** Of a process that is told to stop while the machine is busy with everything else. */
const drainMs = 10_000;

const buildStudents = (organizationId: string, classId: number) =>
  inContext(owner, 'SUPER', (trx) =>
    trx.raw(
      `with person as (
         insert into app_user (organization_id, scope, primary_persona, full_name_ar, created_at)
         select :organizationId, 'ORGANIZATION', 'STUDENT', 'طالب', now() from generate_series(1, :students::integer) returning id),
       placed as (
         insert into enrollment (organization_id, student_id, class_id, enrolled_from)
         select :organizationId, id, :classId, '2026-09-01' from person)
       insert into sse_recompute_request (organization_id, student_id, requested_seq, processed_seq, trigger, requested_at)
       select :organizationId, id, 1, 1, 'admin', now() from person`,
      { organizationId, classId, students },
    ),
  );

const activate = () =>
  inContext(owner, 'SUPER', async (trx) => {
    const timeline = await lockActivations(trx, { now: () => new Date() });
    const versions = { ...timeline.current, 'rbm/rbm': 2 };
    const entry = { versions, kind: 'activate', reason: 'policy_change', activatedBy: null, approvedBy: [] } as const;
    const { activationId, bundleId } = await appendActivation(trx, entry, timeline);
    const occasion = { subject: String(activationId), changed: ['rbm/rbm'], userId: null };
    await orderRecomputes(trx, occasion, timeline.moment, pieceSize);
    return bundleId;
  });

interface Piece {
  readonly id: string;
  readonly state: string;
  readonly done: number;
  readonly total: number;
  readonly heldUntil: string | null;
}
const pieces = (): Promise<Piece[]> =>
  inContext(owner, 'SUPER', (trx) => trx('rule_job').where({ kind: 'recompute' }).orderBy('id').select('*'));
const running = async () =>
  (await pieces()).filter(({ state, heldUntil }) => state === 'running' && heldUntil !== null);
const countDone = async () => (await pieces()).reduce((sum, { done }) => sum + done, 0);

test('two workers share it; kill -9 of one, SIGTERM of the other, and a third one ends it', async () => {
  await installShippedRules(owner);
  await installVersion(owner, await nextVersion(owner, 'rbm/rbm', { 'RBM-STREAK': 5 }));
  const { organizationId, id: classId } = await buildClass(owner, { grade: 2 });
  await buildStudents(organizationId, classId);
  const bundleId = await activate();
  assert.is((await pieces()).length, students / pieceSize);
  const [first, second] = [await startWorker(database, undefined), await startWorker(database, undefined)];
  await eventually('both work at once', patienceMs, async () => (await running()).length === 2);
  await first.kill();
  const killedAt = await countDone();
  assert.ok(killedAt < students, `killed after ${killedAt}`);
  await eventually('the other one goes on', patienceMs, async () => (await countDone()) > killedAt);
  const told = performance.now();
  await second.stop();
  const drained = performance.now() - told;
  assert.ok(drained < drainMs, `gone after ${drained} ms`);
  const left = await pieces();
  const idle = left.filter(({ state, heldUntil }) => state === 'running' && heldUntil === null);
  assert.is(idle.length, left.some(({ state }) => state === 'queued') ? 1 : idle.length, 'let go in the middle');
  assert.ok(
    left.some(({ state }) => state !== 'done'),
    'stopped before the end',
  );
  const third = await startWorker(database, undefined);
  try {
    await eventually('all pieces are done', patienceMs, async () =>
      (await pieces()).every(({ state }) => state === 'done'),
    );
  } finally {
    await third.stop();
  }
  assert.is(await countDone(), students);
  await inContext(owner, 'SUPER', async (trx) => {
    const judged = await trx('sse_recompute_request').where({ judgedBundleId: bundleId }).count('* as n').first();
    assert.is(Number(judged?.n), students);
    const twice = await trx('sse_run').groupBy('studentId').havingRaw('count(*) > 1').select('studentId');
    assert.equal(twice, []);
  });
});

test.run();
