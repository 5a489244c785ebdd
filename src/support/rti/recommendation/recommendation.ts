// What is recommended about a student's tier, and the id by which a person answers to exactly this recommendation.

import { canonicalHash } from '#core/platform/pure/canonical-json.ts';
import type { Versions } from '#rules/rulesets/index.ts';
import type { SufficiencyAnswer } from '../../interventions/index.ts';
import type { RtiRules } from '../engine/compiled.ts';
import type { TierRecommendation } from '../engine/tiers/recommend.ts';
import type { TierInput } from './input.ts';

export interface TierAdvice extends TierRecommendation {
  readonly sufficiency: SufficiencyAnswer;
}

/** The same input and rules give the same advice for ever. */
export function adviceOf(input: TierInput, rules: Pick<RtiRules, 'sufficiency' | 'recommend'>): TierAdvice {
  const sufficiency = rules.sufficiency(input.sufficiency);
  const found = rules.recommend({ sufficiencyReason: sufficiency.reason, ...input.tier });
  return { ...found, sufficiency };
}

/** Documents that speak in a recommendation, or give the numbers that it is made from. */
const documents = [
  'rti/data-sufficiency',
  'rti/tier-recommendation',
  'rti/decision-packet',
  'fidelity/gate',
  'fidelity/settings',
  'bundle/settings',
] as const;

export const adviceVersions = (versions: Versions): Readonly<Record<string, number>> =>
  Object.fromEntries(documents.map((name) => [name, versions[name] ?? 0]));

const idLength = 32;

/** Another fact, another decision in between, or another version of a rule: another id. */
export const recommendationId = ({ studentId, lastDecisionId, sufficiency, tier }: TierInput, versions: Versions) =>
  canonicalHash({
    studentId,
    facts: { sufficiency, tier },
    lastDecisionId,
    ruleVersions: adviceVersions(versions),
  }).slice(0, idLength);
