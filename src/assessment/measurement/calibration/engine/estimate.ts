// Estimation by EM: expected answers at each ability, then the difficulties and distributions that fit them, until
// convergence. The scale is fixed by the mean difficulty, so that abilities stay comparable with earlier ones.
import { chance, chancesOf, type Group, groupWeights, type Model, nodes, posteriorOf } from './marginal.ts';
import type { SittingPattern } from './responses.ts';

export interface Estimation extends Model {
  readonly logLikelihood: number;
  readonly rounds: number;
  readonly converged: boolean;
}

/** How the scale is fixed: by the mean difficulty, or by a known distribution of ability. */
export type ScaleAnchor = { readonly meanDifficulty: number } | { readonly ability: Group };

const maxRounds = 4000;
/** Convergence limit of a difficulty in logits; one decimal is published. */
const tolerance = 1e-6;
/** Minimum standard deviation: the step of the nodes, below which their sum does not approximate the integral. */
const leastSd = 0.2;

export function estimate(
  patterns: readonly SittingPattern[],
  counts: { items: number; groups: number },
  anchor: ScaleAnchor,
): Estimation {
  let model = anchored(
    {
      difficulties: Array.from({ length: counts.items }, () => 0),
      groups: Array.from({ length: counts.groups }, () => ('ability' in anchor ? anchor.ability : { mean: 0, sd: 1 })),
    },
    anchor,
  );
  for (let round = 1; round <= maxRounds; round++) {
    const { next, logLikelihood } = improved(model, patterns, anchor);
    const moved = Math.max(...next.difficulties.map((value, at) => Math.abs(value - (model.difficulties[at] ?? 0))));
    model = next;
    if (moved < tolerance) return { ...model, logLikelihood, rounds: round, converged: true };
  }
  return {
    ...model,
    logLikelihood: improved(model, patterns, anchor).logLikelihood,
    rounds: maxRounds,
    converged: false,
  };
}

interface Expected {
  /** Expected numbers of answers and of right answers, by item and node. */
  readonly answered: Float64Array[];
  readonly right: number[];
  /** Expected numbers of students, by group and node. */
  readonly abilities: Float64Array[];
  logLikelihood: number;
}

function improved(
  model: Model,
  patterns: readonly SittingPattern[],
  anchor: ScaleAnchor,
): { next: Model; logLikelihood: number } {
  const expected = expectedCounts(model, patterns);
  const difficulties = model.difficulties.map((from, item) =>
    bestDifficulty(from, expected.answered[item] ?? new Float64Array(), expected.right[item] ?? 0),
  );
  const groups = 'ability' in anchor ? model.groups : expected.abilities.map(fittedGroup);
  return { next: anchored({ difficulties, groups }, anchor), logLikelihood: expected.logLikelihood };
}

function expectedCounts(model: Model, patterns: readonly SittingPattern[]): Expected {
  const chances = chancesOf(model);
  const priors = model.groups.map(groupWeights);
  const perNode = () => new Float64Array(nodes.length);
  const expected: Expected = {
    answered: model.difficulties.map(perNode),
    right: model.difficulties.map(() => 0),
    abilities: model.groups.map(perNode),
    logLikelihood: 0,
  };
  for (const pattern of patterns) {
    const { weights, logLikelihood } = posteriorOf(pattern, chances, priors[pattern.group]);
    expected.logLikelihood += pattern.count * logLikelihood;
    addWeights(expected.abilities[pattern.group], weights, pattern.count);
    for (const [at, item] of pattern.items.entries()) {
      addWeights(expected.answered[item], weights, pattern.count);
      if (pattern.correct[at]) expected.right[item] = (expected.right[item] ?? 0) + pattern.count;
    }
  }
  return expected;
}

function addWeights(sums: Float64Array | undefined, weights: Float64Array, count: number): void {
  if (!sums) return;
  for (let node = 0; node < sums.length; node++) sums[node] = (sums[node] ?? 0) + count * (weights[node] ?? 0);
}

/**
 * Returns the difficulty at which the expected and the observed number of right answers are equal (Newton's method with
 * limited steps).
 */
function bestDifficulty(from: number, answered: Float64Array, right: number): number {
  let difficulty = from;
  for (let round = 0; round < 20; round++) {
    let wanted = 0;
    let information = 0;
    for (let node = 0; node < nodes.length; node++) {
      const p = chance(nodes[node] ?? 0, difficulty);
      wanted += (answered[node] ?? 0) * p;
      information += (answered[node] ?? 0) * p * (1 - p);
    }
    const move = Math.max(-1, Math.min(1, (wanted - right) / Math.max(information, 1e-9)));
    difficulty += move;
    if (Math.abs(move) < 1e-10) break;
  }
  return difficulty;
}

function fittedGroup(abilities: Float64Array): Group {
  const total = abilities.reduce((sum, weight) => sum + weight, 0);
  if (total === 0) return { mean: 0, sd: 1 };
  const mean = nodes.reduce((sum, theta, node) => sum + theta * (abilities[node] ?? 0), 0) / total;
  const variance = nodes.reduce((sum, theta, node) => sum + (theta - mean) ** 2 * (abilities[node] ?? 0), 0) / total;
  return { mean, sd: Math.max(leastSd, Math.sqrt(variance)) };
}

/** Difficulties and abilities are determined up to a common shift; the anchor fixes it. */
function anchored({ difficulties, groups }: Model, anchor: ScaleAnchor): Model {
  if ('ability' in anchor) return { difficulties, groups };
  const mean = difficulties.reduce((sum, value) => sum + value, 0) / difficulties.length;
  const shift = anchor.meanDifficulty - mean;
  return {
    difficulties: difficulties.map((value) => value + shift),
    groups: groups.map((group) => ({ ...group, mean: group.mean + shift })),
  };
}
