// Daily work: runs once for each organization and local date, from its hour on, in any free process. A day is done when its
// work has ended without an error; one whose process was killed is taken over.
import type { Logger } from 'pino';
import type { DailySchedule } from '#core/module/jobs.ts';
import type { Services } from '#core/module/services.ts';
import { whileRenewing } from '#core/platform/leases.ts';
import { dayBegunAt } from '#core/platform/pure/dates/local-day.ts';
import type { Queues } from '#core/platform/queue/queue.ts';
import { type ClaimedDay, claimDays, type DueDay, endDay, failDay, renewDay, renewDayEveryMs } from './days.ts';
import type { RunningWork } from './running-work.ts';

export interface DailyParts {
  readonly services: Services;
  readonly queues: Queues;
  readonly log: Logger;
  readonly daily: readonly DailySchedule[];
  readonly underWay: RunningWork;
}

export function dailyRunner({ services, queues, log, daily, underWay }: DailyParts) {
  let stopped = false;
  const claim = (schedules: readonly DailySchedule[]) => {
    const now = services.clock.now();
    return claimDays(services.db, (zones) => schedules.flatMap((schedule) => dueDays(schedule, zones, now, log)));
  };
  /** Processes one organization after the other, until none is left. */
  const runAll = async (schedule: DailySchedule, first: ClaimedDay) => {
    for (let claimed: ClaimedDay | undefined = first; claimed; [claimed] = stopped ? [] : await claim([schedule])) {
      const { subject: organizationId, day: date } = claimed;
      await runClaimed(services, claimed, log, () => schedule.run(services, queues, { organizationId, date }));
    }
  };
  return {
    async startDue() {
      const nameOf = ({ name }: DailySchedule) => `daily ${name}`;
      const free = stopped ? [] : daily.filter((schedule) => !underWay.has(nameOf(schedule)));
      const claimedDays = free.length === 0 ? [] : await claim(free);
      for (const schedule of free) {
        const claimed = claimedDays.find(({ name }) => name === schedule.name);
        if (claimed) underWay.start(nameOf(schedule), () => runAll(schedule, claimed));
      }
    },
    /** Takes no further day; running work continues. */
    stop() {
      stopped = true;
    },
  };
}

/** An unknown time zone counts as UTC, so that it does not affect the others. */
function dueDays({ name, dailyAt, of }: DailySchedule, zones: readonly string[], now: Date, log: Logger): DueDay[] {
  if (of === 'platform') return [{ name, timeZone: null, day: dayBegunAt(dailyAt, now, 'UTC') }];
  return zones.map((timeZone) => {
    try {
      return { name, timeZone, day: dayBegunAt(dailyAt, now, timeZone) };
    } catch (error) {
      log.error({ err: error, schedule: name, timeZone }, 'unknown time zone');
      return { name, timeZone, day: dayBegunAt(dailyAt, now, 'UTC') };
    }
  });
}

/** Runs the work under a lease of the day. A failure is recorded with the day, and the next organization follows. */
async function runClaimed(
  { db, clock, metrics }: Services,
  claimed: ClaimedDay,
  log: Logger,
  work: () => Promise<void>,
) {
  const { name: schedule, subject, day } = claimed;
  const onError = (error: unknown) =>
    log.warn({ err: error, schedule, subject, day }, 'the lease of daily work was not renewed');
  try {
    await whileRenewing(() => renewDay(db, claimed), work, { everyMs: renewDayEveryMs, onError });
    await endDay(db, claimed, clock.now());
  } catch (error) {
    metrics.countFailure('schedule', schedule);
    log.error({ err: error, schedule, subject, day }, 'daily work failed');
    await failDay(db, claimed);
  }
}
