// The figures of a domain that accompany its status and decide about escalation.

import { ratio4 } from '#core/platform/pure/round.ts';
import type { Thresholds } from '../../../measurement/engine/index.ts';
import type { DecidedSubSkill } from '../skills/status.ts';

export interface DomainFigures {
  /** Number of sub-skills of the domain in scope, and of those with a status. */
  readonly inScope: number;
  readonly decided: number;
  /** Decided ÷ in scope, rounded; 0 when nothing is in scope. */
  readonly coverage: number;
  readonly coverageOk: boolean;
  /**
   * Weighted mean rate of the evidence set, with a higher weight for gateway skills; rounded, null when the set is
   * empty.
   */
  readonly rawWeightedDeficitRate: number | null;
  /** Severity of the worst weak gateway skill, shrunk by one right answer; rounded, null without one. */
  readonly gatewaySeverity: number | null;
  readonly validEvidence: boolean;
}

export function domainFigures(
  inScope: number,
  decided: readonly DecidedSubSkill[],
  thresholds: Thresholds,
): DomainFigures {
  const coverage = ratio4(decided.length, inScope);
  const coverageOk = coverage >= thresholds.coverage;
  const evidence = decided.filter(isEvidence);
  const items = evidence.reduce((sum, { confirmation }) => sum + confirmation.sums.distinctItems, 0);
  return {
    inScope,
    decided: decided.length,
    coverage,
    coverageOk,
    rawWeightedDeficitRate: weightedRate(evidence, thresholds.gatewayWeight),
    gatewaySeverity: gatewaySeverity(decided, thresholds.severityPrior),
    validEvidence: coverageOk && items >= thresholds.validEvidenceItems,
  };
}

/** Returns whether a sub-skill is in the evidence set: core, neither cautionary nor under review. */
const isEvidence = ({ subSkill, status }: DecidedSubSkill): boolean =>
  !subSkill.accuracyIndicator && status !== 'cautionary_weakness_with_metadata' && status !== 'contextual_review';

/** Returns the weighted mean of unrounded rates; rounding happens once, at the end. */
function weightedRate(evidence: readonly DecidedSubSkill[], gatewayWeight: number): number | null {
  let weights = 0;
  let sum = 0;
  for (const { subSkill, confirmation } of evidence) {
    const { weight, weightedDeficit } = confirmation.sums;
    const share = subSkill.gateway ? gatewayWeight : 1;
    weights += share;
    sum += (share * weightedDeficit) / weight;
  }
  return weights === 0 ? null : ratio4(sum, weights);
}

function gatewaySeverity(decided: readonly DecidedSubSkill[], prior: number): number | null {
  let worst: number | null = null;
  for (const { status, confirmation } of decided) {
    if (status !== 'weak_gateway') continue;
    const { weight, weightedDeficit } = confirmation.sums;
    worst = Math.max(worst ?? 0, ratio4(weightedDeficit, weight + prior));
  }
  return worst;
}
