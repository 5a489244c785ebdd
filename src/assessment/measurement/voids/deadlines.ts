// Until when evidence may be voided and a void be restored: teachers for a few days, administrators within the school
// year.
import type { Actor } from '#core/http/route.ts';
import type { Trx } from '#core/platform/db.ts';
import { conflict } from '#core/platform/errors.ts';
import { localDate } from '#core/platform/pure/dates/calendar.ts';
import { dayMs } from '#core/platform/pure/dates/durations.ts';
import { yearOfDay } from '#rules/catalogue/index.ts';
import type { RequestServices } from '../services.ts';

const teachersDays = 7;

export interface Deadline {
  /** ISO 8601: the end of the evidence, or the moment of the void. */
  readonly since: string;
  readonly timeZone: string;
  readonly now: Date;
}

/** Throws CONFLICT `too_late`. */
export async function refuseLate(
  services: RequestServices,
  trx: Trx,
  { persona }: Pick<Actor, 'persona'>,
  { since, timeZone, now }: Deadline,
): Promise<void> {
  const begun = new Date(since);
  if (persona !== 'ADMIN') {
    if (now.getTime() - begun.getTime() <= teachersDays * dayMs) return;
    throw conflict('too_late', `Teachers may do this for ${teachersDays} days; ask an administrator.`);
  }
  const yearOf = (instant: Date) => yearOfDay(services, trx, localDate(instant, timeZone), now);
  const [then, today] = [await yearOf(begun), await yearOf(now)];
  if (then.name !== today.name) throw conflict('too_late', 'This is of an earlier school year.');
}
