// Loads the results before a run: each student's newest run of the school year and newest rows.
import type { Trx } from '#core/platform/db.ts';
import { anyOrganization, rowsOf } from '#core/platform/sql.ts';
import type { Versions } from '#rules/rulesets/index.ts';
import type { DomainMark, SkillMark } from './changes.ts';

export interface PreviousRun {
  readonly id: string;
  readonly studentId: number;
  readonly inputHash: string;
  readonly grade: number;
  readonly contextReview: boolean;
  readonly ruleVersions: Versions;
  readonly resultHash: string;
}

export interface StudentYear {
  readonly studentId: number;
  readonly schoolYear: string;
}

const studentYears = 'unnest(:studentIds::bigint[], :schoolYears::text[]) as t (student_id, school_year)';

const bindingsOf = (organizationId: string, students: readonly StudentYear[]) => ({
  organizationId,
  studentIds: students.map(({ studentId }) => studentId),
  schoolYears: students.map(({ schoolYear }) => schoolYear),
});

export async function previousRuns(
  trx: Trx,
  organizationId: string,
  students: readonly StudentYear[],
): Promise<Map<number, PreviousRun>> {
  const rows = await rowsOf<PreviousRun>(
    trx,
    `select r.id, r.student_id, r.input_hash, r.grade, r.context_review, r.rule_versions, r.result_hash
     from ${studentYears} cross join lateral (select * from sse_run r
       where r.organization_id = ${anyOrganization} and r.student_id = t.student_id and r.school_year = t.school_year
       order by r.seq desc limit 1) r`,
    bindingsOf(organizationId, students),
  );
  return new Map(rows.map((row) => [row.studentId, row]));
}

type Of<Mark> = Mark & { readonly studentId: number };

export const newestSkillMarks = (
  trx: Trx,
  organizationId: string,
  students: readonly StudentYear[],
): Promise<Of<SkillMark>[]> =>
  rowsOf(
    trx,
    `select t.student_id, s.* from ${studentYears} cross join lateral (
       select distinct on (s.sub_skill_code) s.sub_skill_code, s.newest_unit_ref, s.code_counts, s.outcome, s.status,
         s.confidence, s.decision_strength, s.modifiers
       from sse_skill_snapshot s where s.organization_id = ${anyOrganization}
         and s.student_id = t.student_id and s.school_year = t.school_year
       order by s.sub_skill_code, s.id desc) s`,
    bindingsOf(organizationId, students),
  );

export const newestDomainMarks = (
  trx: Trx,
  organizationId: string,
  students: readonly StudentYear[],
): Promise<Of<DomainMark>[]> =>
  rowsOf(
    trx,
    `select t.student_id, d.* from ${studentYears} cross join lateral (
       select distinct on (d.domain_code) d.domain_code, d.outcome, d.status, d.severe_path, d.modifiers, d.in_scope,
         d.decided, d.comp_rule_id, d.comp_pattern, d.comp_routing_hint, d.comp_decoding_state, d.comp_language_state,
         d.comp_next_data_action
       from sse_domain_snapshot d where d.organization_id = ${anyOrganization}
         and d.student_id = t.student_id and d.school_year = t.school_year
       order by d.domain_code, d.id desc) d`,
    bindingsOf(organizationId, students),
  );
