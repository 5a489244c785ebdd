// Which items a warm-up asks: quick ones, a little below what the child can do, so that it feels easy.

import { round4 } from '#core/platform/pure/round.ts';
import type { GradeBand, Item, ItemBank } from '../../../content/engine/index.ts';
import type { WarmupValues } from './values.ts';

/** A sub-skill to warm up, and the ability to aim at. */
export interface WarmupTarget {
  readonly subSkillCode: string;
  /** Logits. */
  readonly theta: number;
}

/** Everything that the plan follows from, besides the rules and the bank. */
export interface PlanFacts {
  readonly gradeBand: GradeBand;
  readonly targets: readonly WarmupTarget[];
}

/** Without any theta, theta 0 on each sub-skill of the grade's first part. */
export const targetsOf = (stored: readonly WarmupTarget[], firstPart: readonly string[]): readonly WarmupTarget[] =>
  stored.length > 0 ? stored : firstPart.map((subSkillCode) => ({ subSkillCode, theta: 0 }));

/** Nearest to their sub-skill's aim first, ties by item id; [] when nothing is eligible. */
export function planWarmup({ gradeBand, targets }: PlanFacts, bank: ItemBank, values: WarmupValues): Item[] {
  return targets
    .flatMap(({ subSkillCode, theta }) =>
      bank
        .cell(subSkillCode, gradeBand)
        .filter((item) => item.status === 'active' && item.expectedSeconds <= values.maxExpectedSeconds)
        .map((item) => ({ item, distance: round4(Math.abs(item.difficulty - (theta - values.easierLogit))) })),
    )
    .sort((a, b) => a.distance - b.distance || (a.item.id < b.item.id ? -1 : 1))
    .slice(0, values.maxItems)
    .map(({ item }) => item);
}
