// timeout: 120s
// A process is killed in the middle of an activation: the old bundle stays whole, and the schedule is carried out
// later.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inContext } from '#core/platform/db.ts';
import { installVersion, nextVersion } from '../backoffice/workbench/backoffice.ts';
import { useDatabase } from '../harness/database.ts';
import { buildSuperAdmin } from '../harness/factories.ts';
import { installShippedRules } from '../harness/rules.ts';
import { buildChild, eventually, finishDiagnostic, isServed, startWorker } from './world.ts';

const test = suite('killed activation');
const database = useDatabase(test);
const { owner } = database;
const timeoutMs = 60_000;

const counted = ['rule_bundle', 'rule_activation', 'rule_schedule_end', 'rule_job'] as const;

const counts = () =>
  inContext(owner, 'SUPER', async (trx) => {
    const found: Record<string, number> = {};
    for (const table of counted) found[table] = Number((await trx(table).count('* as rows').first())?.rows);
    return found;
  });

test('kill -9 before the last row: no row of the activation stays, and another process repeats all of it', async () => {
  await installShippedRules(owner);
  const child = await buildChild(owner);
  const first = await startWorker(database, undefined);
  await finishDiagnostic(owner, child, ['LK_SOUND']);
  await eventually('the student has a result', timeoutMs, () => isServed(owner, child));
  const before = await counts();
  await installVersion(owner, await nextVersion(owner, 'rbm/rbm', { 'RBM-STREAK': 5 }));
  const blocker = await owner.transaction();
  try {
    await blocker.raw('lock table rule_job in exclusive mode');
    await schedule();
    await eventually('the worker waits inside its transaction', timeoutMs, async () => {
      const { rows } = await owner.raw(
        `select from pg_locks where relation = 'rule_job'::regclass and not granted
           and database = (select oid from pg_database where datname = current_database())`,
      );
      return rows.length > 0;
    });
    await first.kill();
  } finally {
    await blocker.rollback();
  }
  assert.equal(await counts(), before);
  const second = await startWorker(database, undefined);
  try {
    await eventually('the scheduled bundle is in force', timeoutMs, async () => {
      const jobs = await inContext(owner, 'SUPER', (trx) =>
        trx('rule_job').where({ kind: 'recompute', state: 'done' }),
      );
      return jobs.length > 0;
    });
  } finally {
    await second.stop();
  }
  const after = await counts();
  assert.equal(
    counted.map((table) => Number(after[table]) - Number(before[table])),
    [1, 1, 1, 1],
  );
});

/** Inserts the row that the route would write: an activation that is due at once. */
async function schedule(): Promise<void> {
  const { id: requestedBy } = await buildSuperAdmin(owner);
  const now = new Date();
  await owner('rule_schedule').insert({
    versions: JSON.stringify({ 'rbm/rbm': 2 }),
    replaces: JSON.stringify({ 'rbm/rbm': 1 }),
    activeFrom: now,
    reason: 'scheduled_release',
    requestedBy,
    createdAt: now,
  });
}

test.run();
