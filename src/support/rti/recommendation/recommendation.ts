// Computes the recommendation about a student's tier, and the id by which a decision refers to exactly this recommendation.

import { canonicalHash } from '#core/platform/pure/canonical-json.ts';
import type { Versions } from '#rules/rulesets/index.ts';
import type { SufficiencyAnswer } from '../../interventions/index.ts';
import type { RtiRules } from '../engine/compiled.ts';
import type { TierRecommendation } from '../engine/tiers/recommend.ts';
import type { TierInput } from './input.ts';

export interface TierAdvice extends TierRecommendation {
  readonly sufficiency: SufficiencyAnswer;
}

/** The same input and rules always give the same advice. */
export function adviceOf(input: TierInput, rules: Pick<RtiRules, 'sufficiency' | 'recommend'>): TierAdvice {
  const sufficiency = rules.sufficiency(input.sufficiency);
  const found = rules.recommend({ sufficiencyReason: sufficiency.reason, ...input.tier });
  return { ...found, sufficiency };
}

/** The documents that decide on a recommendation, or provide its constants. */
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

/** A change of a fact, of the last decision, or of a version of the rules changes the id. */
export const recommendationId = ({ studentId, lastDecisionId, sufficiency, tier }: TierInput, versions: Versions) =>
  canonicalHash({
    studentId,
    facts: { sufficiency, tier },
    lastDecisionId,
    ruleVersions: adviceVersions(versions),
  }).slice(0, idLength);
