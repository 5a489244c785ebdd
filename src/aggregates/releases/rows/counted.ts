// What was counted of a season's schools and what was shown of them, a cell of the organization at a time.
import type { Trx } from '../../../platform/db.ts';
import { rowsOf } from '../../../platform/sql.ts';
import type { ShownCounts } from '../../engine/units.ts';
import type { Space } from '../../words.ts';
import type { ReleasedSeason } from './releases.ts';

export interface ReleasedSubject {
  readonly space: Space;
  readonly subject: string;
}

interface OfSeason {
  readonly organizationId: string;
  readonly season: ReleasedSeason;
}

export interface CountedRow {
  readonly schoolId: string;
  readonly classId: number;
  readonly counts: Readonly<Record<string, number>>;
  readonly unmeasured: number;
}

export const countedSubjects = (
  trx: Trx,
  organizationId: string,
  { schoolYear, season }: ReleasedSeason,
): Promise<ReleasedSubject[]> =>
  rowsOf(
    trx,
    `select distinct space, subject from aggregate_cell
     where organization_id = :organizationId and school_year = :schoolYear and season = :season and unit = 'school'
     order by space, subject`,
    { organizationId, schoolYear, season },
  );

export const countsOf = (trx: Trx, turn: OfSeason, { space, subject }: ReleasedSubject): Promise<CountedRow[]> =>
  rowsOf(
    trx,
    `select r.unit_id as school_id, c.class_id, c.counts, c.unmeasured
     from aggregate_count c
     join aggregate_release r on r.organization_id = c.organization_id and r.id = c.release_id
       and r.school_year = c.school_year
     where c.organization_id = :organizationId and c.school_year = :schoolYear and c.season = :season
       and c.space = :space and c.subject = :subject
     order by r.unit_id, c.class_id`,
    { organizationId: turn.organizationId, ...turn.season, space, subject },
  );

/** By id of the school or class: a school's is a word, a class's a number. */
export async function shownRows(
  trx: Trx,
  { organizationId, season }: OfSeason,
  { space, subject }: ReleasedSubject,
): Promise<ReadonlyMap<string, ShownCounts>> {
  const rows = await rowsOf<{ unitId: string; counts: ShownCounts }>(
    trx,
    `select unit_id, counts from aggregate_cell
     where organization_id = :organizationId and school_year = :schoolYear and season = :season
       and space = :space and subject = :subject and unit in ('school', 'class')`,
    { organizationId, ...season, space, subject },
  );
  return new Map(rows.map(({ unitId, counts }) => [unitId, counts]));
}

export interface NewestOfReleases {
  readonly asOf: string | null;
  readonly ruleVersions: Readonly<Record<string, number>>;
}

/** Of the schools of a season, by the newest run that is contained. */
export async function releasesOf(
  trx: Trx,
  organizationId: string,
  { schoolYear, season }: ReleasedSeason,
): Promise<NewestOfReleases> {
  const [newest] = await rowsOf<NewestOfReleases>(
    trx,
    `select as_of, rule_versions from aggregate_release
     where organization_id = :organizationId and school_year = :schoolYear and season = :season and unit = 'school'
     order by as_of desc nulls last, ledger_no limit 1`,
    { organizationId, schoolYear, season },
  );
  return newest ?? { asOf: null, ruleVersions: {} };
}
