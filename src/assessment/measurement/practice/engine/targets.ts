// Chooses the targets of a practice queue: the weakest sub-skills of a diagnostic, each with a prior from its estimate.
import { type Prior, standardPrior } from '../../scoring/engine/eap.ts';
import type { PracticeValues } from './values.ts';

/** Estimate of a finished diagnostic; theta and se in logits, both null with too few answers. */
export interface Estimate {
  readonly subSkillCode: string;
  readonly theta: number | null;
  readonly se: number | null;
}

export interface Target {
  readonly subSkillCode: string;
  readonly prior: Prior;
}

/**
 * Returns at most PRQ-TGT-01 sub-skills below PRQ-THE-01 or without a theta, weakest first, those without a theta last,
 * ties in catalogue order. When all are above, the lowest one is returned.
 */
export function chooseTargets(
  estimates: readonly Estimate[],
  catalogueOrder: readonly string[],
  values: PracticeValues,
): Target[] {
  const positionOf = (code: string) => catalogueOrder.indexOf(code);
  const ranked = [...estimates].sort(
    (a, b) =>
      Number(a.theta === null) - Number(b.theta === null) ||
      (a.theta ?? 0) - (b.theta ?? 0) ||
      positionOf(a.subSkillCode) - positionOf(b.subSkillCode),
  );
  const weak = ranked.filter(({ theta }) => theta === null || theta < values.masteredTheta);
  const chosen = weak.length > 0 ? weak.slice(0, values.maxTargets) : ranked.slice(0, 1);
  return chosen.map((estimate) => ({ subSkillCode: estimate.subSkillCode, prior: priorOf(estimate, values) }));
}

const priorOf = ({ theta, se }: Estimate, { narrowestPriorSd }: PracticeValues): Prior => ({
  mean: theta ?? standardPrior.mean,
  sd: se === null ? standardPrior.sd : Math.max(se, narrowestPriorSd),
});
