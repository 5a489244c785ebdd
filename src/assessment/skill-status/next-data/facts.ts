// Loads the facts of plans for one student or a class: one statement for results, one for seen items.

import type { Trx } from '#core/platform/db.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { keptPlan } from '#core/platform/statements/kept-plans.ts';
import { type SomeStudents, seenItems, studentBindings, studentIdArray } from '../../measurement/index.ts';
import type { Halt } from './engine/needs.ts';
import type { Plan } from './engine/plan.ts';
import type { StudentFacts } from './engine/student-plan.ts';

/** The students and the school year of the plans. */
export interface Planned {
  readonly organizationId: string;
  /** ISO 8601 instant of the year's start. */
  readonly yearFrom: string;
  readonly grade: number | null;
  readonly students: SomeStudents;
}

export interface KnownFacts extends StudentFacts {
  readonly studentId: number;
  /** ISO 8601 instant of the newest run; null before the first one. */
  readonly asOf: string | null;
  readonly halted: boolean;
  /** Whether the newest run had something to evaluate; that of a student who only came into another grade has not. */
  readonly isMeasured: boolean;
}

export interface PlanOf {
  readonly facts: KnownFacts;
  readonly plan: Plan;
}

interface ResultRow {
  readonly studentId: number;
  readonly asOf: string | null;
  readonly halted: boolean;
  readonly isMeasured: boolean;
  readonly halts: readonly Halt[] | null;
  readonly decidedDomains: readonly string[] | null;
}

/** Returns facts by student id. Items served since `metSince` count as seen. */
export async function loadFacts(trx: Trx, planned: Planned, metSince: Date): Promise<KnownFacts[]> {
  const [results, seen] = await Promise.all([
    currentResults(trx, planned),
    seenItems(trx, planned.organizationId, planned.students, metSince),
  ]);
  return results.map(({ studentId, asOf, halted, isMeasured, halts, decidedDomains }) => ({
    studentId,
    asOf,
    halted,
    isMeasured,
    grade: planned.grade,
    halts: halts ?? [],
    decidedDomains: new Set(decidedDomains),
    seenItemIds: new Set(seen.get(studentId)),
  }));
}

/**
 * Returns each student's newest run and the newest rows of its results. The rows of a decided run are skipped, since it
 * has no undecided sub-skill.
 */
const currentResults = (trx: Trx, { organizationId, yearFrom, students }: Planned): Promise<ResultRow[]> =>
  rowsOf(
    trx,
    `select t.student_id, r.as_of, coalesce(r.halted, false) as halted,
       coalesce(cardinality(r.evaluated_sub_skills) > 0, false) as is_measured, s.halts, d.decided_domains
     from unnest(${studentIdArray}) as t (student_id)
     left join lateral (select school_year, as_of, halted, outcome, evaluated_sub_skills from sse_run
       where organization_id = :organizationId and student_id = t.student_id and as_of >= :yearFrom
       order by seq desc limit 1) r on true
     left join lateral (
       select json_agg(json_build_object('subSkillCode', n.sub_skill_code, 'reason', n.pac_reason,
           'action', n.next_data_action, 'distinctItems', (n.facts ->> 'distinctItems')::integer)
           order by n.sub_skill_code) as halts
       from (select distinct on (sub_skill_code) sub_skill_code, outcome, pac_reason, next_data_action, facts
         from sse_skill_snapshot
         where r.outcome = 'do_not_decide_yet' and organization_id = :organizationId and student_id = t.student_id
           and school_year = r.school_year and sub_skill_code = any(r.evaluated_sub_skills)
         order by sub_skill_code, id desc) n
       where n.outcome = 'do_not_decide_yet') s on true
     left join lateral (
       select json_agg(n.domain_code order by n.domain_code) as decided_domains
       from (select distinct on (domain_code) domain_code, outcome from sse_domain_snapshot
         where organization_id = :organizationId and student_id = t.student_id and school_year = r.school_year
         order by domain_code, id desc) n
       where n.outcome = 'decided') d on true
     order by t.student_id`,
    { organizationId, yearFrom, ...studentBindings(students) },
    keptPlan,
  );
