// The school years around today, in the time zone of a school.
import type { Trx } from '#core/platform/db.ts';
import { localDate } from '#core/platform/pure/dates/calendar.ts';
import { yearOfDay } from '#rules/catalogue/index.ts';
import type { ActiveRules } from '#rules/rulesets/index.ts';
import { Organization, type School } from '../records/organizations.ts';

export interface SchoolToday {
  /** Local date. */
  readonly today: string;
  /** `2026-2027`. */
  readonly schoolYear: string;
}

export async function todayAtSchool(
  services: { readonly rules: ActiveRules },
  trx: Trx,
  { organizationId, timeZone }: Pick<School, 'organizationId' | 'timeZone'>,
  now: Date,
): Promise<SchoolToday> {
  const organization = Organization.query(trx).findById(organizationId).select('timeZone').throwIfNotFound();
  const today = localDate(now, timeZone ?? (await organization).timeZone);
  return { today, schoolYear: (await yearOfDay(services, trx, today, now)).name };
}

/** Returns the school year after one of the form `2025-2026`. */
export function yearAfter(schoolYear: string): string {
  const second = Number(schoolYear.slice(5));
  return `${second}-${second + 1}`;
}
