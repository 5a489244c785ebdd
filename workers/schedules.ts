// Runs what is due by the Clock. The row of a schedule is its lock and its memory, so that any number of worker
// processes run it once, and a Clock that jumps makes due what it jumped over.
import type { Schedule } from '../src/jobs.ts';
import type { Trx } from '../src/platform/db.ts';
import type { Queues } from '../src/platform/queue.ts';
import type { Services } from '../src/services.ts';

export async function runDueSchedules(
  services: Services,
  queues: Queues,
  schedules: readonly Schedule[],
): Promise<void> {
  for (const schedule of schedules) {
    const due = await services.db.transaction((trx) => claim(trx, schedule, services.clock.now()));
    if (due) await schedule.run(services, queues);
  }
}

/** True for the one process that may run the schedule now. A time in the future (the Clock went back) counts as due. */
async function claim(trx: Trx, { name, everyMs }: Schedule, now: Date): Promise<boolean> {
  const first = await trx('schedule').insert({ name, lastRunAt: now }).onConflict('name').ignore().returning('name');
  if (first.length > 0) return true;
  const row: { lastRunAt: string } | undefined = await trx('schedule')
    .where({ name })
    .forUpdate()
    .skipLocked()
    .first('lastRunAt');
  if (!row) return false;
  const elapsedMs = now.getTime() - Date.parse(row.lastRunAt);
  if (elapsedMs >= 0 && elapsedMs < everyMs) return false;
  await trx('schedule').where({ name }).update({ lastRunAt: now });
  return true;
}
