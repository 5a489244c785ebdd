// What the handlers of these reads have in hand, and how shares and coverage are said.

import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { round4 } from '#core/platform/pure/round.ts';
import { type SeasonWindow, windowAt } from '#rules/catalogue/index.ts';
import { type CountingCatalogue, countingCatalogue } from '../catalogue.ts';
import { seasons } from '../enums.ts';

export interface Asking {
  readonly services: Services;
  readonly trx: Trx;
  readonly now: Date;
}

export async function catalogueNow({ services, trx, now }: Asking): Promise<CountingCatalogue> {
  return countingCatalogue((await services.rules.at(trx, now)).rules);
}

export const seasonNow = (timeZone: string, { calendar }: CountingCatalogue, now: Date): SeasonWindow['season'] =>
  windowAt({ timeZone }, { catalogue: calendar }, now).season;

/** Null of nobody. */
export const shareOf = (part: number, whole: number): number | null => (whole === 0 ? null : round4(part / whole));

/** SQL of the date whose counts are the present ones. As a value it lets an index find its rows among those of all days. */
export const presentDay = '(select r.day from org_rollup r where r.organization_id = :organizationId)';

/** SQL of how many of the rows `d` were measured, in the order of the seasons. */
export const measuredBySeason = `array[${seasons
  .map((season) => `coalesce(sum((d.measured ->> '${season}')::bigint), 0)::bigint`)
  .join(', ')}]`;
