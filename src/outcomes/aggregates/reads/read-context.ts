// The context of the handlers that read aggregates, and SQL and helpers for shares and coverage.

import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { round4 } from '#core/platform/pure/round.ts';
import { type SeasonWindow, windowAt } from '#rules/catalogue/index.ts';
import { type CountingCatalogue, countingCatalogue } from '../catalogue.ts';
import { seasons } from '../enums.ts';

export interface ReadContext {
  readonly services: Services;
  readonly trx: Trx;
  readonly now: Date;
}

export async function catalogueNow({ services, trx, now }: ReadContext): Promise<CountingCatalogue> {
  return countingCatalogue((await services.rules.at(trx, now)).rules);
}

export const seasonNow = (timeZone: string, { calendar }: CountingCatalogue, now: Date): SeasonWindow['season'] =>
  windowAt({ timeZone }, { catalogue: calendar }, now).season;

/** Returns null when `whole` is 0. */
export const shareOf = (part: number, whole: number): number | null => (whole === 0 ? null : round4(part / whole));

/** SQL of the date whose counts are current. As a value it lets an index find its rows among those of all days. */
export const presentDay = '(select r.day from org_rollup r where r.organization_id = :organizationId)';

/** SQL of the numbers of measured students in the rows `d`, in the order of the seasons. */
export const measuredBySeason = `array[${seasons
  .map((season) => `coalesce(sum((d.measured ->> '${season}')::bigint), 0)::bigint`)
  .join(', ')}]`;
