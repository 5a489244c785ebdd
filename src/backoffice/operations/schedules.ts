// When schedules and daily work last ran, and which of them are late.
import { type Capability, jobsOf } from '#core/module/capability.ts';
import type { Db, Trx } from '#core/platform/db.ts';
import { dayMs } from '#core/platform/pure/dates/durations.ts';
import { rowsOf } from '#core/platform/sql.ts';

/** Returns the names of what should have run more than `threshold` seconds ago. */
export async function lateSchedules(
  db: Db | Trx,
  capabilities: readonly Capability[],
  now: Date,
  threshold: number,
): Promise<string[]> {
  const { schedules } = jobsOf(capabilities);
  const late = await rowsOf<{ name: string }>(
    db,
    `select s.name from schedule s
     join unnest(:names::text[], :periods::bigint[]) as w (name, every_ms) on w.name = s.name
     where s.last_run_at < :now::timestamptz - :threshold * interval '1 second' - w.every_ms * interval '1 millisecond'
     union
     select d.name from schedule_day d
     where d.done_at is null and d.day < (:now::timestamptz - :threshold * interval '1 second')::date - 1
     order by name`,
    {
      names: schedules.map(({ name }) => name),
      periods: schedules.map(({ everyMs }) => everyMs),
      ...{ now: now.toISOString(), threshold },
    },
  );
  return late.map(({ name }) => name);
}

export interface ScheduleState {
  readonly name: string;
  readonly everyMs: number;
  /** The last start; of daily work, the last end, of any organization. Null before the first one. */
  readonly lastRunAt: string | null;
}

/** Returns the schedules of all capabilities by name; daily work has a period of a day. */
export const scheduleStates = (trx: Trx, capabilities: readonly Capability[]): Promise<ScheduleState[]> => {
  const { schedules, daily } = jobsOf(capabilities);
  const wanted = [...schedules, ...daily.map(({ name }) => ({ name, everyMs: dayMs }))];
  return rowsOf(
    trx,
    `select w.name, w.every_ms, coalesce(s.last_run_at, d.done_at) as last_run_at
     from unnest(:names::text[], :periods::bigint[]) as w (name, every_ms)
     left join schedule s on s.name = w.name
     left join lateral (select done_at from schedule_day where name = w.name and done_at is not null
       order by done_at desc limit 1) d on true
     order by w.name`,
    { names: wanted.map(({ name }) => name), periods: wanted.map(({ everyMs }) => everyMs) },
  );
};
