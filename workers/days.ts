// The rows of daily work. A lease on a day uses the database's own time, which all processes share; it is independent of when
// work is due.
import { ScheduleDay } from '#core/module/jobs.ts';
import { type Db, inContext } from '#core/platform/db.ts';
import { leaseEnd, longLeaseSeconds } from '#core/platform/leases.ts';
import { dailyRetries } from '#core/platform/retries.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { Organization } from '#identity/people/index.ts';

export const renewDayEveryMs = 10_000;

export interface ClaimedDay {
  readonly name: string;
  /** The organization's id; empty for the platform. */
  readonly subject: string;
  /** YYYY-MM-DD. */
  readonly day: string;
}

/** The day of a schedule that has begun in a time zone; `timeZone` is null for work of the platform. */
export interface DueDay {
  readonly name: string;
  readonly timeZone: string | null;
  readonly day: string;
}

/** Takes one day for each schedule that is due, not done and not leased; days that never failed come first. */
export function claimDays(db: Db, dueIn: (timeZones: readonly string[]) => DueDay[]): Promise<ClaimedDay[]> {
  return inContext(db, 'SUPER', async (trx) => {
    const zones: { timeZone: string }[] = await Organization.query(trx).distinct('timeZone');
    const due = dueIn(zones.map(({ timeZone }) => timeZone));
    return rowsOf(trx, claim, {
      names: due.map(({ name }) => name),
      zones: due.map(({ timeZone }) => timeZone),
      days: due.map(({ day }) => day),
    });
  });
}

const claim = `
  with wanted as (
    select * from unnest(:names::text[], :zones::text[], :days::date[]) as w (name, zone, day)),
  candidate as (
    select w.name, '' as subject, w.day from wanted w where w.zone is null
    union all select w.name, o.id, w.day from wanted w join organization o on o.time_zone = w.zone),
  next as (
    select distinct on (t.name) t.name, t.subject, t.day
    from candidate t left join schedule_day d on (d.name, d.subject, d.day) = (t.name, t.subject, t.day)
    where d.name is null or (d.done_at is null and d.held_until < clock_timestamp())
    order by t.name, d.failures nulls first, t.subject)
  insert into schedule_day as d (name, subject, day, held_until)
  select name, subject, day, ${leaseEnd(longLeaseSeconds)} from next
  on conflict (name, subject, day) do update set held_until = excluded.held_until
    where d.done_at is null and d.held_until < clock_timestamp()
  returning d.name, d.subject, d.day`;

const rowOf = (db: Db, { name, subject, day }: ClaimedDay) => ScheduleDay.query(db).where({ name, subject, day });

export async function renewDay(db: Db, claimed: ClaimedDay): Promise<void> {
  await rowOf(db, claimed)
    .whereNull('doneAt')
    .update({ heldUntil: db.raw(leaseEnd(longLeaseSeconds)) });
}

export async function endDay(db: Db, claimed: ClaimedDay, now: Date): Promise<void> {
  await rowOf(db, claimed).update({ doneAt: now.toISOString() });
}

export async function failDay(db: Db, claimed: ClaimedDay): Promise<void> {
  const heldUntil = db.raw("clock_timestamp() + least(? * power(2, least(failures, 20)), ?) * interval '1 second'", [
    dailyRetries.firstWaitSeconds,
    dailyRetries.longestWaitSeconds,
  ]);
  await rowOf(db, claimed).update({ failures: db.raw('failures + 1'), heldUntil });
}
