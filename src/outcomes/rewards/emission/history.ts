// Reads the snapshots of one school year of students, with the session behind each row.

import type { StudentYear } from '#assessment/skill-status/index.ts';
import type { Trx } from '#core/platform/db.ts';
import { grouped } from '#core/platform/pure/lists/grouped.ts';
import { anyOrganization, rowsOf } from '#core/platform/sql.ts';
import { keptPlan } from '#core/platform/statements/kept-plans.ts';
import type {
  DomainSnapshot,
  EvidenceOf,
  StoredSkillSnapshot,
  StoredYear,
  YearHistory,
} from '../engine/growth/rises.ts';

export interface OfYears {
  readonly organizationId: string;
  readonly years: readonly StudentYear[];
  /** ISO 8601: only runs stored by then count; all by default. */
  readonly until?: string | undefined;
}

/** Returns an empty history for a year that was not requested. */
export type StoredYears = (year: StudentYear) => StoredYear;
export type YearHistories = (year: StudentYear) => YearHistory;

/**
 * Reads snapshots without sessions, which are read only for students who may have risen. A domain's row rests on the
 * sessions of its run's sub-skills.
 */
export async function storedYears(trx: Trx, { organizationId, years, until }: OfYears): Promise<StoredYears> {
  const bindings = { organizationId, ...listsOf(years), until: until ?? null };
  const skills = await rowsOf<StoredSkillSnapshot & StudentYear>(
    trx,
    `select s.id, t.student_id, t.school_year, s.run_id, s.sub_skill_code, s.status, s.session_id, s.decided_at,
       (select json_agg(json_build_object('at', v.at, 'until', v.restored_at)) from evidence_void v
         where v.organization_id = :organizationId and v.student_id = t.student_id and v.ref_id = s.session_id) as voids
     from unnest(:studentIds::bigint[], :schoolYears::text[]) as t (student_id, school_year)
     cross join lateral (select s.id, s.run_id, s.sub_skill_code, s.status, s.decided_at,
         split_part(s.newest_unit_ref, '/', 1) as session_id
       from sse_skill_snapshot s where s.organization_id = ${anyOrganization} and s.student_id = t.student_id
         and s.school_year = t.school_year and (:until::timestamptz is null or s.decided_at <= :until) order by s.id) s`,
    bindings,
    keptPlan,
  );
  const domains = await rowsOf<DomainSnapshot & StudentYear>(
    trx,
    `select d.id, t.student_id, t.school_year, d.run_id, d.domain_code, d.status, d.decided_at
     from unnest(:studentIds::bigint[], :schoolYears::text[]) as t (student_id, school_year)
     cross join lateral (select d.id, d.run_id, d.domain_code, d.status, d.decided_at
       from sse_domain_snapshot d where d.organization_id = ${anyOrganization} and d.student_id = t.student_id
         and d.school_year = t.school_year and (:until::timestamptz is null or d.decided_at <= :until) order by d.id) d`,
    bindings,
    keptPlan,
  );
  const voidsOf = new Map(skills.flatMap(({ runId, voids }) => (voids ? [[runId, voids] as const] : [])));
  const withVoids = domains.map((row) => ({ ...row, voids: voidsOf.get(row.runId) ?? null }));
  const [skillsOf, domainsOf] = [byYear(skills), byYear(withVoids)];
  return (year) => ({ skills: skillsOf(year), domains: domainsOf(year) });
}

/** Adds sessions to snapshots. The evidence of each run is parsed once. */
export async function withSessions(trx: Trx, of: OfYears, stored: StoredYears): Promise<YearHistories> {
  const sessions = await sessionsOf(trx, of);
  return (year) => {
    const { skills, domains } = stored(year);
    return {
      domains,
      skills: skills.map(({ sessionId, ...row }) => ({
        ...row,
        session: sessions.get(`${row.runId} ${sessionId}`) ?? null,
      })),
    };
  };
}

/** Keyed by run and session. */
async function sessionsOf(trx: Trx, { organizationId, years }: OfYears): Promise<ReadonlyMap<string, EvidenceOf>> {
  if (years.length === 0) return new Map();
  const rows = await rowsOf<EvidenceOf & { readonly runId: string }>(
    trx,
    `select r.id as run_id, e.session ->> 'sessionId' as id, e.session ->> 'endedAt' as ended_at,
       e.session ->> 'source' as source
     from unnest(:studentIds::bigint[], :schoolYears::text[]) as t (student_id, school_year)
     cross join lateral (select r.id, r.input from sse_run r where r.organization_id = ${anyOrganization}
       and r.student_id = t.student_id and r.school_year = t.school_year order by r.seq) r
     cross join lateral json_array_elements(r.input -> 'sessions') as e (session)`,
    { organizationId, ...listsOf(years) },
    keptPlan,
  );
  return new Map(rows.map(({ runId, ...session }) => [`${runId} ${session.id}`, session]));
}

/** Deduplicates years, since several facts may lie in one year. */
function listsOf(years: readonly StudentYear[]) {
  const distinct = [...new Map(years.map((year) => [nameOf(year), year])).values()];
  return {
    studentIds: distinct.map(({ studentId }) => studentId),
    schoolYears: distinct.map(({ schoolYear }) => schoolYear),
  };
}

const nameOf = ({ studentId, schoolYear }: StudentYear): string => `${studentId} ${schoolYear}`;

/** Groups rows by year and keeps their order. */
function byYear<Row extends StudentYear>(rows: readonly Row[]): (year: StudentYear) => readonly Row[] {
  const own = grouped(rows, nameOf);
  return (year) => own.get(nameOf(year)) ?? [];
}
