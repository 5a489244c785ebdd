// The days of a school: the work of each night, what events request, and what people do at eight in the morning.

import { jobsOf } from '#core/module/capability.ts';
import type { JobHandler } from '#core/module/jobs.ts';
import { localDate } from '#core/platform/pure/dates/calendar.ts';
import type { Job, Queues } from '#core/platform/queue/queue.ts';
import { deliverWaiting } from '#messaging/notifications/dispatch/deliver.ts';
import { relayAll } from '../../workers/relay.ts';
import type { TestApp } from '../harness/http.ts';
import { noQueues } from '../workers/support.ts';
import type { Calendar } from './year-calendar.ts';

/** Daily work on students, in the order of the hours of a night. */
const nightly = ['assignments-of-the-day', 'fidelity-of-the-day', 'packets-of-the-day', 'rti-evaluations-of-the-day'];
/** Queues whose jobs change what people see on the same day. */
const followed: ReadonlySet<string> = new Set(['recompute', 'rti-evaluation', 'fidelity-recount']);

export interface SchoolDays {
  /** The local date. */
  today(): string;
  /** The n-th school day after a date, by the calendar of today. */
  schoolDay(from: string, n: number): string;
  /** Runs the night before, then sets the clock to eight in the morning in Riyadh. */
  begin(date: string): Promise<void>;
  /** Does what events have requested since, until nothing is left. */
  settle(): Promise<void>;
}

export function schoolDays(app: TestApp, organizationId: string, calendar: () => Calendar): SchoolDays {
  const { clock } = app;
  const waiting: Job[] = [];
  const queues: Queues = { ...noQueues, add: async (jobs) => void waiting.push(...jobs) };
  const services = { ...app.services, queues };
  const { reactions, handlers, daily } = jobsOf(services.capabilities);
  const nights = nightly.map((name) => {
    const work = daily.find((one) => one.name === name);
    if (work?.of !== 'organization') throw new Error(`no daily work ${name}`);
    return work;
  });
  const handlerOf = (queue: string): JobHandler | undefined => handlers.find((one) => one.queue === queue);
  const days: SchoolDays = {
    schoolDay: (from, n) => calendar().schoolDay(from, n),
    today: () => localDate(clock.now(), 'Asia/Riyadh'),
    async begin(date) {
      clock.set(new Date(`${date}T00:00:00.000Z`));
      for (const work of nights) {
        await work.run(services, queues, { organizationId, date });
      }
      await days.settle();
      clock.set(new Date(`${date}T05:00:00.000Z`));
    },
    async settle() {
      for (let moved = 1; moved > 0; ) {
        moved = await relayAll(services, queues, reactions);
        for (const { queue, data } of waiting.splice(0)) {
          if (!followed.has(queue)) continue;
          await handlerOf(queue)?.handle(services, data, new AbortController().signal);
          moved += 1;
        }
      }
      await deliverWaiting(services, organizationId);
    },
  };
  return days;
}
