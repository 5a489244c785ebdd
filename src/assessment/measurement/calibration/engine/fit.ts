// Item fit: mean squares of the residuals, outfit unweighted and infit weighted by information (Wright & Masters 1982),
// integrated over the abilities of each sitting, so that the expected value is 1 for every number of items (as in TAM;
// Adams & Wu 2007).
import { chancesOf, groupWeights, type Model, posteriorOf } from './marginal.ts';
import type { SittingPattern } from './responses.ts';

export interface ItemFit {
  readonly infit: number;
  readonly outfit: number;
}

/** Usual bounds of a multiple-choice test (Wright & Linacre 1994). */
const acceptable = { least: 0.7, most: 1.3 } as const;

export const isMisfit = ({ infit, outfit }: ItemFit): boolean =>
  [infit, outfit].some((value) => value < acceptable.least || value > acceptable.most);

export function itemFits(model: Model, patterns: readonly SittingPattern[]): ItemFit[] {
  const chances = chancesOf(model);
  const priors = model.groups.map(groupWeights);
  const sums = model.difficulties.map(() => ({ count: 0, standardized: 0, squared: 0, information: 0 }));
  for (const pattern of patterns) {
    const { weights } = posteriorOf(pattern, chances, priors[pattern.group]);
    for (const [at, item] of pattern.items.entries()) {
      const sum = sums[item];
      if (!sum) continue;
      sum.count += pattern.count;
      for (const [node, weight] of weights.entries()) {
        const p = chances[item]?.[node] ?? 0;
        const residual = ((pattern.correct[at] ? 1 : 0) - p) ** 2;
        sum.standardized += (pattern.count * weight * residual) / (p * (1 - p));
        sum.squared += pattern.count * weight * residual;
        sum.information += pattern.count * weight * p * (1 - p);
      }
    }
  }
  return sums.map(({ count, standardized, squared, information }) => ({
    infit: squared / information,
    outfit: standardized / count,
  }));
}
