// Layer SSR: the status of a sub-skill, or the reason why there is none, with confidence and strength.

import type { SubSkill } from '#rules/catalogue/engine/index.ts';
import type { RuleBundle } from '#rules/rulesets/engine/index.ts';
import { firstHit } from '#rules/rulesets/engine/index.ts';
import type { Thresholds } from '../../../measurement/engine/index.ts';
import {
  type Confidence,
  type DecidedReason,
  type DecisionStrength,
  type HaltAction,
  type HaltReason,
  type Modifier,
  modifiers,
  type SkillStatus,
  skillStatuses,
} from '../vocabulary.ts';
import type { Confirmation, HaltAnswer, SubSkillFacts } from './confirmation.ts';
import { ssrFacts } from './typed-facts.ts';

/** In scope but not tried in the window: no status, no action; it does not halt the student. */
export interface NotAssessed {
  readonly subSkill: SubSkill;
  readonly outcome: 'not_assessed';
  readonly pacReason: null;
}

interface EvaluatedBase {
  readonly subSkill: SubSkill;
  /** Facts, sums and the answers of CIS and PAC. */
  readonly confirmation: Confirmation;
  readonly ssrRuleId: string;
  readonly modifiers: readonly Modifier[];
}

export interface DecidedSubSkill extends EvaluatedBase {
  readonly outcome: 'decided';
  readonly status: SkillStatus;
  readonly confidence: Confidence;
  readonly decisionStrength: DecisionStrength;
  readonly pacDecision: 'confirm' | 'withhold';
  readonly pacReason: DecidedReason;
}

/** GSR-01: the evidence does not suffice for a status. */
export interface Undecided extends EvaluatedBase {
  readonly outcome: 'do_not_decide_yet';
  readonly code: 'DO_NOT_DECIDE_YET';
  readonly pacDecision: 'do_not_decide_yet';
  readonly pacReason: HaltReason;
  readonly nextRecommendedDataAction: HaltAction;
  /** Number of distinct items missing to the minimum. */
  readonly itemsNeeded: number;
}

export type EvaluatedSubSkill = DecidedSubSkill | Undecided;
export type SubSkillEvaluation = EvaluatedSubSkill | NotAssessed;

/** The context of a confirmation: the other sub-skills and the child's context flags. */
export interface SubSkillContext {
  readonly contextReview: boolean;
  /** Domains with at least one core-weak sub-skill. */
  readonly coreWeakDomains: number;
  readonly prereqConfirmedWeak: boolean;
  readonly domainPeersWeak: boolean;
}

export type StatusLayer = (confirmation: Confirmation, context: SubSkillContext) => EvaluatedSubSkill;

export function compileStatus(bundle: RuleBundle, thresholds: Thresholds): StatusLayer {
  const statusOf = firstHit(bundle.table('ssr/ssr'), ssrFacts, (answer) => ({
    ruleId: answer.ruleId,
    status: answer.word('outcome', [...skillStatuses, 'do_not_decide_yet']),
    modifiers: answer.words('modifiers', modifiers),
  }));
  return (confirmation, context) => {
    const { pac, evidence } = confirmation;
    const rule = statusOf({
      pacDecision: pac.pacDecision,
      pacReason: pac.pacReason,
      contextReview: context.contextReview,
      gateway: evidence.subSkill.gateway,
      accuracyIndicator: evidence.subSkill.accuracyIndicator,
      coreWeakDomains: context.coreWeakDomains,
      prereqConfirmedWeak: context.prereqConfirmedWeak,
      domainPeersWeak: context.domainPeersWeak,
    });
    if (pac.pacDecision === 'do_not_decide_yet') return undecided(confirmation, pac, rule.ruleId, thresholds);
    if (rule.status === 'do_not_decide_yet') throw new RangeError(`${rule.ruleId} withholds a status from a decision`);
    const confidence = confidenceOf(confirmation.facts, thresholds);
    return {
      subSkill: evidence.subSkill,
      outcome: 'decided',
      status: rule.status,
      confidence,
      decisionStrength: strengthOf(pac.pacDecision, rule.status, confidence),
      pacDecision: pac.pacDecision,
      pacReason: pac.pacReason,
      modifiers: rule.modifiers,
      confirmation,
      ssrRuleId: rule.ruleId,
    };
  };
}

function undecided(
  confirmation: Confirmation,
  { pacDecision, pacReason, action }: HaltAnswer,
  ssrRuleId: string,
  { minimumItems }: Thresholds,
): Undecided {
  const { subSkill } = confirmation.evidence;
  return {
    subSkill,
    outcome: 'do_not_decide_yet',
    code: 'DO_NOT_DECIDE_YET',
    pacDecision,
    pacReason,
    nextRecommendedDataAction: subSkill.measuredByOrf ? 'administer_orf' : action,
    itemsNeeded: Math.max(0, minimumItems - confirmation.facts.distinctItems),
    modifiers: [],
    confirmation,
    ssrRuleId,
  };
}

const oneStepDown: Readonly<Record<Confidence, Confidence>> = { high: 'medium', medium: 'low', low: 'low' };

function confidenceOf(facts: SubSkillFacts, thresholds: Thresholds): Confidence {
  const full = confidenceFromAmount(facts, thresholds);
  const settled = facts.conflictState === 'resolved_weight' || facts.conflictState === 'resolved_tiebreak';
  return facts.behaviourCaution || settled ? oneStepDown[full] : full;
}

function confidenceFromAmount({ distinctItems, sessionCount }: SubSkillFacts, thresholds: Thresholds): Confidence {
  const several = sessionCount >= thresholds.confidenceSessions;
  if (distinctItems >= thresholds.highConfidenceItems && several) return 'high';
  return distinctItems >= thresholds.mediumConfidenceItems || several ? 'medium' : 'low';
}

function strengthOf(pac: 'confirm' | 'withhold', status: SkillStatus, confidence: Confidence): DecisionStrength {
  const doubtful = status === 'cautionary_weakness_with_metadata' || status === 'contextual_review';
  if (pac === 'withhold' || doubtful || confidence === 'low') return 'tentative';
  return confidence === 'high' ? 'strong' : 'moderate';
}
