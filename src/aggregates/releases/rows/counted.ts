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

/** A class as it was counted, and what was shown of it and of its school. */
export interface CountedRow extends ReleasedSubject {
  readonly schoolId: string;
  readonly classId: number;
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

/** By school, then by class. A school of which nobody was counted has no row. */
export const countedRows = (trx: Trx, { organizationId, season }: OfSeason, which: Which): Promise<CountedRow[]> =>
  rowsOf(
    trx,
    `select r.unit_id as school_id, c.space, c.subject, c.class_id, c.counts, c.unmeasured, shown.counts as shown,
       of_school.counts as shown_of_school
     from (${releasedSchools}) r
     join aggregate_count c on c.organization_id = :organizationId and c.release_id = r.id
       and c.school_year = :schoolYear
     join aggregate_cell shown on shown.organization_id = :organizationId and shown.unit = 'class'
       and shown.unit_id = c.class_id::text and shown.space = c.space and shown.subject = c.subject
       and shown.school_year = :schoolYear and shown.season = :season
     join aggregate_cell of_school on of_school.organization_id = :organizationId and of_school.unit = 'school'
       and of_school.unit_id = r.unit_id and of_school.space = c.space and of_school.subject = c.subject
       and of_school.school_year = :schoolYear and of_school.season = :season
     where :space::text is null or (c.space = :space and c.subject = :subject)
     order by r.unit_id, c.class_id`,
    {
      ...{ organizationId, ...season },
      ...{ space: null, subject: null, ...('subject' in which && which.subject) },
      newest: 'newest' in which ? which.newest : null,
    },
  );

const releasedSchools = `
  select id, unit_id from aggregate_release
  where organization_id = :organizationId and school_year = :schoolYear and season = :season and unit = 'school'
  order by ledger_no desc limit :newest::integer`;

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
