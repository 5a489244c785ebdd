// Ability from answers: expected a posteriori under the Rasch model (Bock & Mislevy 1982, Applied Psychological
// Measurement 6, 431–444), on a grid wide and fine enough to agree with the exact integral.

/** One scored item: difficulty in logits, and whether the answer was right. */
export interface ScoredItem {
  readonly itemId: string;
  readonly difficultyLogit: number;
  readonly correct: boolean;
}

/** Normal prior of theta, in logits. */
export interface Prior {
  readonly mean: number;
  readonly sd: number;
}

export interface Ability {
  /** Posterior mean in logits, not rounded. */
  readonly theta: number;
  /** Posterior standard deviation in logits, not rounded. */
  readonly se: number;
}

export const standardPrior: Prior = { mean: 0, sd: 1 };
/** −4 ≤ mean ≤ 4 and 0.3 ≤ sd ≤ 2 is the range over which the grid was checked. */
export const priorRange = { mean: { min: -4, max: 4 }, sd: { min: 0.3, max: 2 } } as const;
/** Difficulties of items, in logits. Far beyond them the differences θ − b lose θ, and the posterior is flat. */
export const difficultyRange = { min: -4, max: 4 } as const;

/** Grid nodes θ_k = (k − 160) / 10 for k = 0…320. */
const nodes = Float64Array.from({ length: 321 }, (_, k) => (k - 160) / 10);

/** Cached u (θ−b) − ln(1 + e^(θ−b)) at every node, by difficulty and answer, since a bank has few difficulties. */
const termsByAnswer = { right: new Map<number, Float64Array>(), wrong: new Map<number, Float64Array>() };
const maxCachedDifficulties = 1_024;

/**
 * Returns theta and its standard error; without items, those of the prior. The order of `items` has no effect: they are
 * added in ascending item id, so that equal answers give equal bits.
 */
export function estimateAbility(items: readonly ScoredItem[], prior: Prior = standardPrior): Ability {
  const ordered = [...items].sort((a, b) => (a.itemId < b.itemId ? -1 : a.itemId > b.itemId ? 1 : 0));
  return momentsOf(logWeights(ordered, prior));
}

/** log w_k = −(θ_k−μ)²/(2σ²) + Σ_i [u_i (θ_k−b_i) − ln(1 + e^(θ_k−b_i))] */
function logWeights(items: readonly ScoredItem[], { mean, sd }: Prior): Float64Array {
  const logs = new Float64Array(nodes.length);
  for (let k = 0; k < nodes.length; k++) {
    const distance = (nodes[k] as number) - mean;
    logs[k] = -(distance * distance) / (2 * sd * sd);
  }
  for (const { difficultyLogit, correct } of items) {
    const terms = termsOf(difficultyLogit, correct);
    for (let k = 0; k < logs.length; k++) logs[k] = (logs[k] as number) + (terms[k] as number);
  }
  return logs;
}

function termsOf(difficultyLogit: number, correct: boolean): Float64Array {
  const kept = correct ? termsByAnswer.right : termsByAnswer.wrong;
  const known = kept.get(difficultyLogit);
  if (known) return known;
  const terms = nodes.map((theta) => (correct ? theta - difficultyLogit : 0) - softplus(theta - difficultyLogit));
  if (kept.size < maxCachedDifficulties) kept.set(difficultyLogit, terms);
  return terms;
}

/** ln(1 + e^x) without overflow. */
const softplus = (x: number) => Math.max(x, 0) + Math.log1p(Math.exp(-Math.abs(x)));

function momentsOf(logs: Float64Array): Ability {
  let highest = Number.NEGATIVE_INFINITY;
  for (let k = 0; k < logs.length; k++) highest = Math.max(highest, logs[k] as number);
  const weights = new Float64Array(logs.length);
  let total = 0;
  let first = 0;
  for (let k = 0; k < logs.length; k++) {
    const weight = Math.exp((logs[k] as number) - highest);
    weights[k] = weight;
    total += weight;
    first += weight * (nodes[k] as number);
  }
  const theta = first / total;
  let second = 0;
  for (let k = 0; k < logs.length; k++) {
    const distance = (nodes[k] as number) - theta;
    second += (weights[k] as number) * distance * distance;
  }
  return { theta, se: Math.sqrt(second / total) };
}
