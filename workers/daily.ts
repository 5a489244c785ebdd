// Daily work: once for each organization and local date, from its hour on, by whichever process is free. A day is done
// when its work has ended without an error: one that was killed in the middle is taken up again.
import type { Logger } from 'pino';
import type { DailySchedule } from '#core/module/jobs.ts';
import type { Services } from '#core/module/services.ts';
import { whileRenewing } from '#core/platform/leases.ts';
import { dayBegunAt } from '#core/platform/pure/dates/local-day.ts';
import type { Queues } from '#core/platform/queue/queue.ts';
import { claimDays, type DailyTurn, type DueDay, endDay, failDay, renewDay, renewEveryMs } from './days.ts';
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
  /** One organization after the other, until none is left to be done. */
  const workOff = async (schedule: DailySchedule, first: DailyTurn) => {
    for (let turn: DailyTurn | undefined = first; turn; [turn] = stopped ? [] : await claim([schedule])) {
      const { subject: organizationId, day: date } = turn;
      await inTurn(services, turn, log, () => schedule.run(services, queues, { organizationId, date }));
    }
  };
  return {
    async startDue() {
      const nameOf = ({ name }: DailySchedule) => `daily ${name}`;
      const free = stopped ? [] : daily.filter((schedule) => !underWay.has(nameOf(schedule)));
      const turns = free.length === 0 ? [] : await claim(free);
      for (const schedule of free) {
        const turn = turns.find(({ name }) => name === schedule.name);
        if (turn) underWay.start(nameOf(schedule), () => workOff(schedule, turn));
      }
    },
    /** What runs ends; no further day is taken. */
    stop() {
      stopped = true;
    },
  };
}

/** A time zone that is not known here counts as UTC: it must not stop the others. */
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

/** Holds the day while its work goes on. A failure is kept with the day, and the next one has its turn. */
async function inTurn({ db, clock, metrics }: Services, turn: DailyTurn, log: Logger, work: () => Promise<void>) {
  const { name: schedule, subject, day } = turn;
  const onError = (error: unknown) => log.warn({ err: error, schedule, subject, day }, 'daily work is not held');
  try {
    await whileRenewing(() => renewDay(db, turn), work, { everyMs: renewEveryMs, onError });
    await endDay(db, turn, clock.now());
  } catch (error) {
    metrics.countFailure('schedule', schedule);
    log.error({ err: error, schedule, subject, day }, 'daily work failed');
    await failDay(db, turn);
  }
}
