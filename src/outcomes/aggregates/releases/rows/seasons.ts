// Reads the published cells of an organization, season by season.
import type { Trx } from '#core/platform/db.ts';
import { rowsOf } from '#core/platform/sql.ts';
import type { Released, ReleasedCell } from './releases.ts';

type Row = Omit<Released, 'cells'> & (ReleasedCell | { readonly space: null });

/** First and last calendar year in which a school year begins. */
interface YearSpan {
  readonly first: number;
  readonly last: number;
}

/** Sorted by school year; the order of seasons within a year depends on the calendar. */
export async function releasedSeasons(
  trx: Trx,
  organizationId: string,
  { first, last }: YearSpan,
): Promise<Released[]> {
  const rows = await rowsOf<Row>(
    trx,
    `select r.school_year, r.season, r.released_at, r.as_of, r.rule_versions, c.space, c.subject, c.students, c.counts,
       c.suppressed
     from aggregate_release r
     left join aggregate_cell c on c.organization_id = r.organization_id and c.unit = 'organization'
       and c.unit_id = r.unit_id and c.space in ('tile', 'sufficiency')
       and c.school_year = r.school_year and c.season = r.season
     where r.organization_id = :organizationId and r.unit = 'organization' and r.unit_id = :organizationId
       and left(r.school_year, 4)::integer between :first and :last
     order by r.school_year, r.season, c.space, c.subject`,
    { organizationId, first, last },
  );
  const byId = new Map<string, Row[]>();
  for (const row of rows) {
    const id = `${row.schoolYear} ${row.season}`;
    byId.set(id, [...(byId.get(id) ?? []), row]);
  }
  return [...byId.values()].flatMap((own) => {
    const [row] = own;
    if (!row) return [];
    const { schoolYear, season, releasedAt, asOf, ruleVersions } = row;
    const cells = own.flatMap((one) => (one.space === null ? [] : one));
    return { schoolYear, season, releasedAt, asOf, ruleVersions, cells };
  });
}
