// Reads the schools of an organization with the current numbers of measured students by season. That a child was
// measured is no result, so it is not suppressed.

import type { Trx } from '#core/platform/db.ts';
import { rowsOf } from '#core/platform/sql.ts';
import type { Season } from '#rules/catalogue/index.ts';

export interface ReportedSchool {
  readonly id: string;
  readonly name: string;
  readonly classes: number;
  readonly students: number;
  /** Keyed by season of the school year. */
  readonly measured: Readonly<Partial<Record<Season, number>>>;
}

const byName = new Intl.Collator('ar').compare;

/** Returns schools in Arabic alphabetical order. */
export async function schoolsNow(trx: Trx, organizationId: string): Promise<readonly ReportedSchool[]> {
  const rows = await rowsOf<ReportedSchool>(
    trx,
    `select s.id, s.name,
       (select count(*) from class c where c.organization_id = s.organization_id and c.school_id = s.id
         and c.archived_at is null) as classes,
       coalesce(d.students, 0) as students,
       json_build_object('BOY', d.boy, 'MOY', d.moy, 'EOY', d.eoy) as measured
     from school s
     left join (
       select d.school_id, sum(d.students)::bigint as students,
         sum((d.measured ->> 'BOY')::bigint) as boy, sum((d.measured ->> 'MOY')::bigint) as moy,
         sum((d.measured ->> 'EOY')::bigint) as eoy
       from org_rollup r
       join org_daily_class d on d.organization_id = r.organization_id and d.day = r.day
       where r.organization_id = :organizationId
       group by d.school_id) d on d.school_id = s.id
     where s.organization_id = :organizationId`,
    { organizationId },
  );
  return rows.toSorted((one, other) => byName(one.name, other.name) || (one.id < other.id ? -1 : 1));
}
