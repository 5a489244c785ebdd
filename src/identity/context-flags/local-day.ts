// The organization's local date and its school year. Flags use the organization's time zone, not the school's.

import type { Trx } from '#core/platform/db.ts';
import { localDate } from '#core/platform/pure/dates/calendar.ts';
import { type SchoolYearDates, yearOfDay } from '#rules/catalogue/index.ts';
import type { ActiveRules } from '#rules/rulesets/index.ts';
import { Organization } from '../people/index.ts';

export interface LocalDay {
  readonly date: string;
  readonly year: SchoolYearDates;
}

export async function localDay(
  services: { readonly rules: ActiveRules },
  trx: Trx,
  organizationId: string,
  now: Date,
): Promise<LocalDay> {
  const date = await localDateIn(trx, organizationId, now);
  return { date, year: await yearOfDay(services, trx, date, now) };
}

export async function localDateIn(trx: Trx, organizationId: string, now: Date): Promise<string> {
  const { timeZone } = await Organization.query(trx).findById(organizationId).select('timeZone').throwIfNotFound();
  return localDate(now, timeZone);
}
