// Reads for students in the current school year the newest profile, and the fields of the newest run that a recommendation
// uses.

import { isPending, pendingBindings, type SkillStatus } from '#assessment/skill-status/index.ts';
import type { Trx } from '#core/platform/db.ts';
import { anyOrganization, rowsOf } from '#core/platform/sql.ts';
import { keptPlan } from '#core/platform/statements/kept-plans.ts';
import type { RecommendedProfile } from '../engine/bundles/recommend.ts';
import { neverMeasured } from '../engine/profiles/resolve.ts';
import type { ProfileContent, ProfileRow } from './rows/row.ts';

export interface InYear {
  readonly studentId: number;
  /** ISO 8601 instant at which the school year began. */
  readonly yearFrom: string;
}

export interface StoredProfile extends ProfileContent, Pick<ProfileRow, 'runId' | 'resolvedAt' | 'ruleVersions'> {
  readonly profileId: number;
}

export interface Known {
  readonly studentId: number;
  /** A recompute was requested and has not run yet. */
  readonly pending: boolean;
  /** A flag with the effect `review` was in force at the newest run. */
  readonly contextReview: boolean;
  /** Null before the first run of the school year. */
  readonly newestRunId: string | null;
  /** Null for a student who was not measured in this school year. */
  readonly stored: StoredProfile | null;
  /** The status of the anchor sub-skill in the newest run, and since when. */
  readonly anchorStatus: SkillStatus | null;
  /** ISO 8601. */
  readonly anchorDecidedAt: string | null;
}

type Row = Omit<Known, 'stored'> & (StoredProfile | { readonly profileId: null });

export async function knownOf(trx: Trx, organizationId: string, students: readonly InYear[]): Promise<Known[]> {
  const rows = await rowsOf<Row>(
    trx,
    `select t.student_id, ${isPending(anyOrganization, 't.student_id')} as pending,
       coalesce(r.context_review, false) as context_review, r.id as newest_run_id,
       a.status as anchor_status, a.decided_at as anchor_decided_at,
       p.id as profile_id, p.run_id, p.rule_id, p.profile_code, p.outcome, p.modifiers, p.anchor_role,
       p.anchor_domain_code, p.anchor_sub_skill_code, p.anchor_skill_group, p.next_recommended_data_action,
       p.resolved_at, p.rule_versions
     from unnest(:studentIds::bigint[], :yearsFrom::timestamptz[]) as t (student_id, year_from)
     left join sse_recompute_request q on q.organization_id = ${anyOrganization} and q.student_id = t.student_id
     left join lateral (select p.id, p.school_year, p.run_id, p.rule_id, p.profile_code, p.outcome, p.modifiers,
         p.anchor_role, p.anchor_domain_code, p.anchor_sub_skill_code, p.anchor_skill_group,
         p.next_recommended_data_action, p.resolved_at, p.rule_versions
       from profile_assignment p
       where p.organization_id = ${anyOrganization} and p.student_id = t.student_id and p.resolved_at >= t.year_from
       order by p.id desc limit 1) p on true
     left join lateral (select r.id, r.context_review from sse_run r
       where r.organization_id = ${anyOrganization} and r.student_id = t.student_id and r.as_of >= t.year_from
       order by r.seq desc limit 1) r on true
     left join lateral (select s.status, s.decided_at from sse_skill_snapshot s
       where s.organization_id = ${anyOrganization} and s.student_id = t.student_id and s.school_year = p.school_year
         and s.sub_skill_code = p.anchor_sub_skill_code
       order by s.id desc limit 1) a on true
     order by t.student_id`,
    {
      organizationId,
      studentIds: students.map(({ studentId }) => studentId),
      yearsFrom: students.map(({ yearFrom }) => yearFrom),
      ...pendingBindings(),
    },
    keptPlan,
  );
  return rows.map(({ studentId, pending, contextReview, newestRunId, anchorStatus, anchorDecidedAt, ...profile }) => ({
    ...{ studentId, pending, contextReview, newestRunId, anchorStatus, anchorDecidedAt },
    stored: profile.profileId === null ? null : profile,
  }));
}

/** The profile as input of the engines of bundles and groups. */
export function recommendedProfileOf({ stored, anchorStatus }: Known): RecommendedProfile {
  if (stored === null) return { ...withoutFacts, profileCode: neverMeasured.profileCode };
  return {
    ruleId: stored.ruleId,
    outcome: stored.outcome,
    profileCode: stored.profileCode,
    modifiers: stored.modifiers,
    anchorRole: stored.anchorRole,
    anchorDomainCode: stored.anchorDomainCode,
    anchorSubSkillCode: stored.anchorSubSkillCode,
    anchorSkillGroup: stored.anchorSkillGroup,
    anchorStatus: anchorStatus ?? 'none',
    nextRecommendedDataAction: stored.nextRecommendedDataAction,
  };
}

const { facts: _facts, modifierFacts: _modifierFacts, modifierRuleIds: _ids, ...withoutFacts } = neverMeasured;
