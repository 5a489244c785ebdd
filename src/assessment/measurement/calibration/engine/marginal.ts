// The marginal Rasch model (Bock & Aitkin 1981). Children answer four to six adaptively chosen items: joint estimation
// is biased with so few, and conditional estimation is invalid when the choice depends on the answers. The marginal
// likelihood is valid, because the choice depends on observed answers alone (Eggen & Verhelst 2011).
import type { SittingPattern } from './responses.ts';

export interface Group {
  readonly mean: number;
  readonly sd: number;
}

export interface Model {
  /** Difficulties in logits. */
  readonly difficulties: readonly number[];
  readonly groups: readonly Group[];
}

const span = 8;
const step = 0.2;
/**
 * Quadrature nodes from −8 to 8 logits in equal steps, for which sums of a smooth decaying integrand converge
 * exponentially.
 */
export const nodes: readonly number[] = Array.from(
  { length: Math.round((2 * span) / step) + 1 },
  (_, at) => Math.round((at * step - span) * 10) / 10,
);

export const chance = (theta: number, difficulty: number): number => 1 / (1 + Math.exp(difficulty - theta));

/** Returns the probability of a right answer by item and node. */
export const chancesOf = ({ difficulties }: Model): Float64Array[] =>
  difficulties.map((difficulty) => Float64Array.from(nodes, (theta) => chance(theta, difficulty)));

export interface Posterior {
  /** Weights of the nodes; they sum to 1. */
  readonly weights: Float64Array;
  readonly logLikelihood: number;
}

/** Returns the densities of the group at the nodes, as weights that sum to 1. */
export function groupWeights({ mean, sd }: Group): Float64Array {
  const weights = Float64Array.from(nodes, (theta) => Math.exp(-((theta - mean) ** 2) / (2 * sd * sd)));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => weight / sum);
}

/**
 * Computes the posterior distribution of ability for a pattern. Plain loops, because most of the time is spent here.
 */
export function posteriorOf(
  { items, correct }: SittingPattern,
  chances: readonly Float64Array[],
  prior: Float64Array = new Float64Array(nodes.length),
): Posterior {
  const weights = Float64Array.from(prior);
  for (let at = 0; at < items.length; at++) {
    const right = chances[items[at] ?? -1];
    if (!right) continue;
    for (let node = 0; node < weights.length; node++) {
      const p = right[node] ?? 0;
      weights[node] = (weights[node] ?? 0) * (correct[at] ? p : 1 - p);
    }
  }
  const sum = weights.reduce((total, weight) => total + weight, 0);
  for (let node = 0; node < weights.length; node++) weights[node] = (weights[node] ?? 0) / sum;
  return { weights, logLikelihood: Math.log(sum) };
}
