// What was counted of a season's schools and what was shown of them.
import type { Trx } from '../../../platform/db.ts';
import { rowsOf } from '../../../platform/sql.ts';
import type { Counts, ShownCounts } from '../../engine/units.ts';
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

/** A part of a school as it was counted, and what was shown of it and of its school. */
export interface CountedRow extends ReleasedSubject {
  readonly schoolId: string;
  /** Of a class, or of the school where that is one row. */
  readonly part: string;
  readonly counts: Counts;
  readonly unmeasured: number;
  readonly shown: ShownCounts;
  readonly shownOfSchool: ShownCounts;
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

/** Of one subject all schools, or of all subjects the schools that were published last. */
type Which = { readonly subject: ReleasedSubject } | { readonly newest: number };

/**
 * By school, then by class. A school that shows all its counts is one row of them, for nothing that its classes hide depends on
 * the organization.
 */
export const countedRows = (trx: Trx, { organizationId, season }: OfSeason, which: Which): Promise<CountedRow[]> =>
  rowsOf(trx, statement, {
    ...{ organizationId, ...season },
    ...{ space: null, subject: null, ...('subject' in which && which.subject) },
    newest: 'newest' in which ? which.newest : null,
  });

const statement = `
  with cell as materialized (
    select c.release_id, c.unit_id, c.space, c.subject, c.counts, c.suppressed
    from (
      select id, unit_id from aggregate_release
      where organization_id = :organizationId and school_year = :schoolYear and season = :season and unit = 'school'
      order by ledger_no desc limit :newest::integer) r
    join aggregate_cell c on c.organization_id = :organizationId and c.unit = 'school' and c.unit_id = r.unit_id
      and c.release_id = r.id and c.school_year = :schoolYear and c.season = :season
    where :space::text is null or (c.space = :space and c.subject = :subject))
  select s.unit_id as school_id, s.space, s.subject, c.class_id::text as part, c.counts, c.unmeasured,
    shown.counts as shown, s.counts as shown_of_school
  from cell s
  join aggregate_count c on c.organization_id = :organizationId and c.release_id = s.release_id
    and c.space = s.space and c.subject = s.subject and c.school_year = :schoolYear
  join aggregate_cell shown on shown.organization_id = :organizationId and shown.unit = 'class'
    and shown.unit_id = c.class_id::text and shown.space = s.space and shown.subject = s.subject
    and shown.school_year = :schoolYear and shown.season = :season
  where s.suppressed
  union all
  select s.unit_id, s.space, s.subject, s.unit_id, s.counts, coalesce(sum(c.unmeasured), 0)::integer, s.counts, s.counts
  from cell s
  left join aggregate_count c on c.organization_id = :organizationId and c.release_id = s.release_id
    and c.space = s.space and c.subject = s.subject and c.school_year = :schoolYear
  where not s.suppressed
  group by s.unit_id, s.space, s.subject, s.counts
  order by school_id, part`;

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
