// Reads the newest release of a unit with its cells in one statement. Nothing is counted when a request is served.
import type { Trx } from '#core/platform/db.ts';
import { rowsOf } from '#core/platform/sql.ts';
import type { ReleasedUnit, Statistic, Unit } from '../enums.ts';
import type { Released, ReleasedCell } from '../releases/rows/releases.ts';

export interface ReleaseQuestion {
  readonly organizationId: string;
  readonly unit: ReleasedUnit;
  readonly unitId: string;
  /** Whose cells are read: those of the unit, or of the classes that were published with it. */
  readonly cellsOf: Unit;
  readonly statistics: readonly Statistic[];
  /** Restricts the cells to one subject; all subjects by default. */
  readonly subject?: string;
}

export interface UnitCell extends ReleasedCell {
  readonly unitId: string;
}

export interface NewestRelease extends Omit<Released, 'cells'> {
  readonly cells: readonly UnitCell[];
}

type Row = Omit<NewestRelease, 'cells'> & (UnitCell | { readonly unitId: null });

/** Returns undefined before the first release. */
export async function newestRelease(trx: Trx, question: ReleaseQuestion): Promise<NewestRelease | undefined> {
  const rows = await rowsOf<Row>(
    trx,
    `select r.school_year, r.season, r.released_at, r.as_of, r.rule_versions, c.unit_id, c.space, c.subject, c.students,
       c.counts, c.suppressed
     from (${newest}) r
     left join aggregate_cell c on c.organization_id = :organizationId and c.release_id = r.id
       and c.school_year = r.school_year and c.unit = :cellsOf and c.space = any(:statistics::text[])
       and c.subject = coalesce(:subject, c.subject)
     order by c.unit_id, c.space, c.subject`,
    { ...question, subject: question.subject ?? null, statistics: [...question.statistics] },
  );
  const [first] = rows;
  if (!first) return undefined;
  const { schoolYear, season, releasedAt, asOf, ruleVersions } = first;
  return {
    ...{ schoolYear, season, releasedAt, asOf, ruleVersions },
    cells: rows.flatMap((row) => (row.unitId === null ? [] : row)),
  };
}

/** The newest release of `:unit` and `:unitId`. */
const newest = `select r.* from aggregate_release r
  where r.organization_id = :organizationId and r.unit = :unit and r.unit_id = :unitId
  order by r.released_at desc, r.ledger_no desc limit 1`;
