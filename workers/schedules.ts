// Starts schedules that are due by the Clock. The row of a schedule is its lock and its last start, so that any number of
// worker processes start it once, and a Clock that is set forward makes due what it skipped.
import type { Logger } from 'pino';
import type { DailySchedule, Schedule } from '#core/module/jobs.ts';
import type { Services } from '#core/module/services.ts';
import type { Db } from '#core/platform/db.ts';
import { lockingRows } from '#core/platform/locks.ts';
import type { Queues } from '#core/platform/queue/queue.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { dailyRunner } from './daily.ts';
import { trackRunningWork } from './running-work.ts';

/** Daily work starts at most this long after its hour. */
const dailyTickMs = 4_000;

export interface Scheduler {
  /** Starts schedules that are due, without waiting for their ends. */
  tick(): Promise<void>;
  /** Resolves when all started work has ended. */
  idle(): Promise<void>;
  /** Starts nothing more, and waits for running work. */
  stop(): Promise<void>;
}

export interface SchedulerParts {
  readonly services: Services;
  readonly queues: Queues;
  readonly log: Logger;
  readonly schedules: readonly Schedule[];
  readonly daily?: readonly DailySchedule[];
}

export function scheduler({ services, queues, log, schedules, daily = [] }: SchedulerParts): Scheduler {
  const underWay = trackRunningWork(services, log);
  const days = dailyRunner({ services, queues, log, daily, underWay });
  const all: Schedule[] = [...schedules, { name: 'daily', everyMs: dailyTickMs, run: days.startDue }];
  return {
    async tick() {
      const free = all.filter(({ name }) => !underWay.has(name));
      const due = await claimDue(services.db, free, services.clock.now());
      for (const { name, run } of free) {
        if (due.has(name)) underWay.start(name, () => run(services, queues));
      }
    },
    idle: underWay.idle,
    async stop() {
      days.stop();
      await underWay.idle();
    },
  };
}

/**
 * Claims the schedules that this process starts, in one statement, which writes only if one is due. A last start that lies more
 * than a period in the future shows that the Clock was set back.
 */
async function claimDue(db: Db, schedules: readonly Schedule[], now: Date): Promise<ReadonlySet<string>> {
  const claimed = await rowsOf<{ name: string }>(
    db,
    `with wanted as (
       select * from unnest(:names::text[], :periods::bigint[]) as w (name, every_ms)),
     fresh as (
       insert into schedule (name, last_run_at)
       select w.name, :now from wanted w where not exists (select from schedule s where s.name = w.name)
       on conflict do nothing returning name),
     due as (
       select s.name from schedule s join wanted w on w.name = s.name
       where abs(extract(epoch from :now::timestamptz - s.last_run_at)) * 1000 >= w.every_ms
       order by s.name ${lockingRows('schedule', 'change', 's')} skip locked),
     restarted as (
       update schedule s set last_run_at = :now from due where s.name = due.name returning s.name)
     select name from fresh union all select name from restarted`,
    {
      names: schedules.map(({ name }) => name),
      periods: schedules.map(({ everyMs }) => everyMs),
      now: now.toISOString(),
    },
  );
  return new Set(claimed.map(({ name }) => name));
}
