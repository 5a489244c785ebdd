// Selects the schools of a nightly release: those without a release, or among them those with enough measured students
// by the roll-up. The smallest schools come first, because a larger school published later can compensate for their
// suppression, so that more is shown in all.
import type { Trx } from '#core/platform/db.ts';
import { rowsOf } from '#core/platform/sql.ts';
import type { ReleasedSeason } from './releases.ts';

export interface Candidates {
  readonly organizationId: string;
  readonly season: ReleasedSeason;
  readonly schoolIds: readonly string[];
}

export const notReleased = (trx: Trx, { organizationId, season, schoolIds }: Candidates): Promise<string[]> =>
  idsOf(
    trx,
    `select s.id from unnest(:schoolIds::text[]) as s (id)
     left join (select d.school_id, sum(d.students) as students
       from org_rollup r
       join org_daily_class d on d.organization_id = r.organization_id and d.day = r.day
       where r.organization_id = :organizationId
       group by d.school_id) d on d.school_id = s.id
     where not exists (select from aggregate_release r
       where r.organization_id = :organizationId and r.unit = 'school' and r.unit_id = s.id
         and r.school_year = :schoolYear and r.season = :season)
     order by coalesce(d.students, 0), s.id`,
    { organizationId, ...season, schoolIds: [...schoolIds] },
  );

/** Uses the counts of the roll-up, so that no student rows are read for a school that is far from the threshold. */
export async function measuredEnough(
  trx: Trx,
  candidates: Candidates,
  { percent, threshold }: { readonly percent: number; readonly threshold: number },
): Promise<string[]> {
  const { organizationId, season } = candidates;
  const waiting = await notReleased(trx, candidates);
  return idsOf(
    trx,
    `select d.school_id as id
     from org_rollup r
     join org_daily_class d on d.organization_id = r.organization_id and d.day = r.day
     where r.organization_id = :organizationId and d.students >= :threshold and d.school_id = any(:waiting::text[])
     group by d.school_id
     having 100 * sum((d.measured ->> :season)::bigint) >= :percent * sum(d.students)
     order by sum(d.students), d.school_id`,
    { organizationId, waiting, season: season.season, percent, threshold },
  );
}

async function idsOf(trx: Trx, sql: string, bindings: Parameters<typeof rowsOf>[2]): Promise<string[]> {
  const rows = await rowsOf<{ id: string }>(trx, sql, bindings);
  return rows.map(({ id }) => id);
}
