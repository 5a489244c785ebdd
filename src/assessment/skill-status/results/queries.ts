// Queries of current results: the newest run of the school year and the newest row of each of its results.
import type { Trx } from '#core/platform/db.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { keptPlan } from '#core/platform/statements/kept-plans.ts';
import type { ComprehensionColumns, DomainRow, RunRow, SkillRow } from './tables.ts';
import { isPending, pendingBindings } from './waiting.ts';

/**
 * A student and a school year, which starts with nothing assessed. The year is defined by the catalogue in force: its
 * runs are those since its first day, whatever the name of the year when they were stored.
 */
export interface StudentInYear {
  readonly organizationId: string;
  readonly studentId: number;
  /** ISO 8601 instant of the school year's start. */
  readonly yearFrom: string;
}

/** The newest run with its tiles. */
export type CurrentRun = Pick<
  RunRow,
  | 'id'
  | 'schoolYear'
  | 'asOf'
  | 'grade'
  | 'outcome'
  | 'halted'
  | 'nextDataAction'
  | 'evaluatedSubSkills'
  | 'ruleVersions'
  | 'bundleId'
  | 'tiles'
>;

export interface EvaluatedUnder {
  readonly bundleId: string;
  /** ISO 8601 instant. */
  readonly at: string;
}

export interface CurrentState {
  /** Whether a requested recompute has not run yet. */
  readonly pending: boolean;
  /** The bundle and time of the last evaluation, also when it changed nothing; null before the first one. */
  readonly evaluatedUnder: EvaluatedUnder | null;
  /** Null before the first run of the school year. */
  readonly run: CurrentRun | null;
}

const newestRun = `select school_year, evaluated_sub_skills from sse_run
  where organization_id = :organizationId and student_id = :studentId and as_of >= :yearFrom order by seq desc limit 1`;

type StateRow = {
  readonly pending: boolean;
  readonly judgedBundleId: string | null;
  readonly judgedAt: string | null;
} & (CurrentRun | { readonly id: null });

export async function currentState(trx: Trx, who: StudentInYear): Promise<CurrentState> {
  const [row] = await rowsOf<StateRow>(
    trx,
    `select ${isPending(':organizationId', ':studentId')} as pending, q.judged_bundle_id, q.judged_at, r.id, r.school_year, r.as_of,
       r.grade, r.outcome, r.halted, r.next_data_action, r.evaluated_sub_skills, r.rule_versions, r.bundle_id, r.tiles
     from (values (1)) as one (row)
     left join sse_recompute_request q on q.organization_id = :organizationId and q.student_id = :studentId
     left join lateral (
       select r.id, r.school_year, r.as_of, r.grade, r.outcome, r.halted, r.next_data_action, r.evaluated_sub_skills, r.rule_versions,
         r.bundle_id, r.tiles
       from sse_run r
       where r.organization_id = :organizationId and r.student_id = :studentId and r.as_of >= :yearFrom
       order by r.seq desc limit 1) r on true`,
    { ...who, ...pendingBindings() },
    keptPlan,
  );
  if (!row) return { pending: false, evaluatedUnder: null, run: null };
  const { pending, judgedBundleId: bundleId, judgedAt: at, ...run } = row;
  return { pending, evaluatedUnder: bundleId && at ? { bundleId, at } : null, run: run.id === null ? null : run };
}

/** The columns of a sub-skill's current result. */
export interface CurrentSkill
  extends Pick<
      SkillRow,
      | 'id'
      | 'subSkillCode'
      | 'decidedAt'
      | 'ssrRuleId'
      | 'pacReason'
      | 'outcome'
      | 'status'
      | 'confidence'
      | 'decisionStrength'
      | 'modifiers'
      | 'nextDataAction'
      | 'itemsNeeded'
      | 'calibrationProvisional'
      | 'ruleVersion'
    >,
    Pick<SkillRow['facts'], 'distinctItems' | 'sessionCount' | 'rawRate' | 'deficitBand'> {}

/**
 * Returns the newest row of each sub-skill that the newest run of the school year evaluated; none before the first run.
 * Other rows are of an earlier grade, or of evidence withdrawn since.
 */
export const currentSkills = (
  trx: Trx,
  { organizationId, studentId, yearFrom }: StudentInYear,
): Promise<CurrentSkill[]> =>
  rowsOf(
    trx,
    `select distinct on (s.sub_skill_code) s.id, s.sub_skill_code, s.decided_at, s.ssr_rule_id, s.pac_reason, s.outcome, s.status,
       s.confidence, s.decision_strength, s.modifiers, s.next_data_action, s.items_needed, s.calibration_provisional,
       s.rule_version, (s.facts ->> 'distinctItems')::integer as distinct_items, (s.facts ->> 'sessionCount')::integer as session_count,
       (s.facts ->> 'rawRate')::numeric as raw_rate, s.facts ->> 'deficitBand' as deficit_band
     from (${newestRun}) r
     join sse_skill_snapshot s on s.organization_id = :organizationId and s.student_id = :studentId
       and s.school_year = r.school_year and s.sub_skill_code = any(r.evaluated_sub_skills)
     order by s.sub_skill_code, s.id desc`,
    { organizationId, studentId, yearFrom },
    keptPlan,
  );

/** The columns of a domain's current result. */
export type CurrentDomain = ComprehensionColumns &
  Pick<
    DomainRow,
    | 'domainCode'
    | 'ddrRuleId'
    | 'outcome'
    | 'status'
    | 'reason'
    | 'nextDataAction'
    | 'inScope'
    | 'decided'
    | 'coverageOk'
    | 'rawWeightedDeficitRate'
    | 'gatewaySeverity'
    | 'severePath'
    | 'modifiers'
    | 'ruleVersion'
  >;

/** Returns the newest row of each domain in the school year of the newest run; none before the first run. */
export const currentDomains = (
  trx: Trx,
  { organizationId, studentId, yearFrom }: StudentInYear,
): Promise<CurrentDomain[]> =>
  rowsOf(
    trx,
    `select distinct on (d.domain_code) d.domain_code, d.ddr_rule_id, d.outcome, d.status, d.reason, d.next_data_action,
       d.in_scope, d.decided, d.coverage_ok, d.raw_weighted_deficit_rate, d.gateway_severity, d.severe_path, d.modifiers,
       d.rule_version, d.comp_rule_id, d.comp_pattern, d.comp_routing_hint, d.comp_decoding_state, d.comp_language_state,
       d.comp_next_data_action
     from (${newestRun}) r
     join sse_domain_snapshot d on d.organization_id = :organizationId and d.student_id = :studentId
       and d.school_year = r.school_year
     order by d.domain_code, d.id desc`,
    { organizationId, studentId, yearFrom },
    keptPlan,
  );
