// Reads what was counted and what was shown of the schools of a season.
import type { Trx } from '#core/platform/db.ts';
import { rowsOf } from '#core/platform/sql.ts';
import type { Counts, ShownCounts } from '../../engine/units.ts';
import type { Statistic } from '../../enums.ts';
import type { ReleasedSeason } from './releases.ts';

export interface ReleasedSubject {
  readonly space: Statistic;
  readonly subject: string;
}

export interface OfSeason {
  readonly organizationId: string;
  readonly season: ReleasedSeason;
}

/** The shown counts of a school. */
export interface ShownSchool extends ReleasedSubject {
  readonly releaseId: string;
  readonly schoolId: string;
  readonly counts: ShownCounts;
  readonly suppressed: boolean;
}

/** The counted and the shown counts of a class. */
export interface CountedClass extends ReleasedSubject {
  readonly releaseId: string;
  readonly classId: number;
  readonly counts: Counts;
  readonly unmeasured: number;
  readonly shown: ShownCounts;
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

/** Either all schools of one subject, or the newest schools of all subjects. */
type Which = { readonly subject: ReleasedSubject } | { readonly newest: number };

/**
 * Sorted by id. The lateral join with `offset 0` keeps index lookups even before the tables have planner statistics.
 */
export const shownSchools = (trx: Trx, { organizationId, season }: OfSeason, which: Which): Promise<ShownSchool[]> =>
  rowsOf(
    trx,
    `with release as materialized (
       select id, unit_id from aggregate_release
       where organization_id = :organizationId and school_year = :schoolYear and season = :season and unit = 'school'
       order by ledger_no desc limit :newest::integer)
     select r.id as release_id, r.unit_id as school_id, c.space, c.subject, c.counts, c.suppressed
     from release r
     cross join lateral (
       select c.* from aggregate_cell c
       where c.organization_id = :organizationId and c.unit = 'school' and c.unit_id = r.unit_id
         and c.school_year = :schoolYear and c.season = :season
         and (:space::text is null or (c.space = :space and c.subject = :subject)) offset 0) c
     order by r.unit_id`,
    {
      ...{ organizationId, ...season },
      ...{ space: null, subject: null, ...('subject' in which && which.subject) },
      newest: 'newest' in which ? which.newest : null,
    },
  );

/** Returns the classes of the schools, sorted by id. */
export const countedClasses = (
  trx: Trx,
  { organizationId, season }: OfSeason,
  schools: readonly ShownSchool[],
): Promise<CountedClass[]> =>
  rowsOf(
    trx,
    `select c.release_id, c.space, c.subject, c.class_id, c.counts, c.unmeasured,
       (select s.counts from aggregate_cell s
        where s.organization_id = :organizationId and s.unit = 'class' and s.unit_id = c.class_id::text
          and s.space = c.space and s.subject = c.subject and s.school_year = :schoolYear and s.season = :season) as shown
     from unnest(:releaseIds::text[], :statistics::text[], :subjects::text[]) as wanted (release_id, space, subject)
     cross join lateral (
       select c.* from aggregate_count c
       where c.organization_id = :organizationId and c.release_id = wanted.release_id and c.school_year = :schoolYear
         and c.space = wanted.space and c.subject = wanted.subject offset 0) c
     order by c.class_id`,
    {
      ...{ organizationId, ...season },
      releaseIds: schools.map(({ releaseId }) => releaseId),
      statistics: schools.map(({ space }) => space),
      subjects: schools.map(({ subject }) => subject),
    },
  );

export interface NewestOfReleases {
  readonly asOf: string | null;
  readonly ruleVersions: Readonly<Record<string, number>>;
}

/** Returns the newest run among the schools of a season, with its rule versions. */
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
