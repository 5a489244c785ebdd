// Reads stored releases and their cells: every response, chart and document takes published counts from here.
import type { Trx } from '#core/platform/db.ts';
import { rowsOf } from '#core/platform/sql.ts';
import type { Season, Statistic, Unit } from '../../enums.ts';

export interface ReleasedSeason {
  readonly schoolYear: string;
  readonly season: Season;
}

/** Without `season`, the newest release of each unit is read. */
export interface CellQuestion {
  readonly unit: Unit;
  readonly ids: readonly (string | number)[];
  readonly season?: ReleasedSeason;
}

export interface ReleasedCell {
  readonly space: Statistic;
  /** A tile code, a bundle id, or an empty string. */
  readonly subject: string;
  readonly students: number;
  /** Null means suppressed. */
  readonly counts: Readonly<Record<string, number | null>>;
  readonly suppressed: boolean;
}

/** A published unit; a class is published with its school. */
export interface Released extends ReleasedSeason {
  readonly releasedAt: string;
  readonly asOf: string | null;
  readonly ruleVersions: Readonly<Record<string, number>>;
  readonly cells: readonly ReleasedCell[];
}

type Row = Omit<Released, 'cells'> & ReleasedCell & { readonly unitId: string };

/** The statistics that reports show. */
const reported: readonly Statistic[] = ['tile', 'sufficiency'];

/** Keyed by unit id as text; units without a release are absent. */
export async function releasedCells(
  trx: Trx,
  organizationId: string,
  { unit, ids, season }: CellQuestion,
): Promise<ReadonlyMap<string, Released>> {
  const rows = await rowsOf<Row>(trx, statement, {
    ...{ organizationId, unit, ids: ids.map(String), reported: [...reported] },
    ...{ schoolYear: season?.schoolYear ?? null, season: season?.season ?? null },
  });
  const byUnit = new Map<string, Row[]>();
  for (const row of rows) byUnit.set(row.unitId, [...(byUnit.get(row.unitId) ?? []), row]);
  return new Map([...byUnit].map(([unitId, ofUnit]) => [unitId, releasedOf(ofUnit)] as const));
}

const statement = `
  select unit_id, school_year, season, released_at, as_of, rule_versions, space, subject, students, counts, suppressed
  from (
    select c.*, r.released_at, r.as_of, r.rule_versions,
      rank() over (partition by c.unit_id order by r.released_at desc, r.ledger_no desc) as age
    from aggregate_cell c
    join aggregate_release r on r.organization_id = c.organization_id and r.id = c.release_id
      and r.school_year = c.school_year
    where c.organization_id = :organizationId and c.unit = :unit and c.unit_id = any(:ids::text[])
      and c.space = any(:reported::text[])
      and (:schoolYear::text is null or c.school_year = :schoolYear)
      and (:season::text is null or c.season = :season)
  ) found
  where age = 1
  order by unit_id, space, subject`;

function releasedOf(rows: readonly Row[]): Released {
  const [{ schoolYear, season, releasedAt, asOf, ruleVersions }] = rows as [Row];
  return {
    ...{ schoolYear, season, releasedAt, asOf, ruleVersions },
    cells: rows.map(({ space, subject, students, counts, suppressed }) => ({
      ...{ space, subject, students, counts, suppressed },
    })),
  };
}
