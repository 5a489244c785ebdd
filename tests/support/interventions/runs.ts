// Runs of the skill-status engine for tests of profiles, as differences from a student of grade 2 with all answers correct.

import type { CompPattern, HaltReason, SkillStatus } from '#assessment/skill-status/index.ts';
import { loadNewestBundle } from '#rules/rulesets/files.ts';
import type { EngineProfile } from '#support/interventions/engine/profiles/resolve.ts';
import type { ProfileRun, RunDomain, RunSubSkill } from '#support/interventions/engine/profiles/run.ts';
import { compileEngines } from '../../../scripts/eval/interventions/engines.ts';

export const bundle = await loadNewestBundle('rules');
export const engines = compileEngines(bundle);

export interface Differences {
  readonly grade?: number;
  /** Sub-skill → its status; null removes it from the run. */
  readonly skills?: Readonly<Record<string, SkillStatus | null>>;
  /** Sub-skill → the reason of its halt. */
  readonly halts?: Readonly<Record<string, HaltReason>>;
  /** Domain → its status; null: undecided. Default: the status of its worst sub-skill. */
  readonly domains?: Readonly<Record<string, SkillStatus | null>>;
  readonly pattern?: CompPattern;
  readonly comprehensionAction?: ProfileRun['comprehension']['nextRecommendedDataAction'];
  readonly contextReview?: boolean;
  readonly severe?: boolean;
}

const measured = ['LK_SOUND', 'DEC_SYLLABLE', 'DEC_WORD', 'LIS_LITERAL', 'VOC_MEANING', 'RC_LITERAL'];

export function runOf(differences: Differences = {}): ProfileRun {
  const { skills = {}, halts = {}, domains = {}, pattern = null, contextReview = false, severe = false } = differences;
  const statuses = new Map<string, SkillStatus | null>(measured.map((code) => [code, 'adequate']));
  for (const [code, status] of Object.entries(skills)) statuses.set(code, status);
  const decided = [...statuses].flatMap(([code, status]) => (status && !halts[code] ? [[code, status] as const] : []));
  const subSkills: Record<string, RunSubSkill> = Object.fromEntries([
    ...decided.map(([code, status]) => [
      code,
      { outcome: 'decided', reason: 'STRENGTH', status, nextRecommendedDataAction: null },
    ]),
    ...Object.entries(halts).map(([code, reason]) => [
      code,
      { outcome: 'do_not_decide_yet', reason, status: null, nextRecommendedDataAction: actionOf[reason] },
    ]),
  ]);
  return {
    contextReview,
    subSkills,
    domains: Object.fromEntries(
      engines.profiles.catalogue.domains.map(({ code }) => [code, domainOf(code, decided, domains[code])]),
    ),
    comprehension: { pattern, nextRecommendedDataAction: differences.comprehensionAction ?? null },
    tiles: { WORD_READING: severe ? 'Severe' : 'Partial' },
  };
}

const actionOf = {
  NO_EVIDENCE: 'run_diagnostic',
  INSUFFICIENT_ITEMS: 'administer_more_items',
  CONFLICTING_EVIDENCE: 'repeat_diagnostic',
} as const;

function domainOf(
  code: string,
  decided: readonly (readonly [string, SkillStatus])[],
  given: SkillStatus | null | undefined,
): RunDomain {
  const { byCode } = engines.profiles.catalogue;
  const own = decided.filter(([subSkill]) => byCode.get(subSkill)?.domain === code).map(([, status]) => status);
  const status = given === undefined ? (own.find((one) => one !== 'adequate') ?? own[0] ?? null) : given;
  return status === null ? { outcome: 'not_assessed', status } : { outcome: 'decided', status };
}

export const profileOf = (differences: Differences = {}): EngineProfile =>
  engines.profiles.resolve(differences.grade ?? 2, runOf(differences));
