// Plans a warm-up: quick items somewhat below the child's ability, so that it feels easy.

import { round4 } from '#core/platform/pure/round.ts';
import type { GradeBand, Item, ItemBank } from '../../../content/engine/index.ts';
import type { WarmupValues } from './values.ts';

/** A sub-skill to warm up, and the target ability. */
export interface WarmupTarget {
  readonly subSkillCode: string;
  /** Logits. */
  readonly theta: number;
}

/** The inputs of the plan besides the rules and the bank. */
export interface PlanFacts {
  readonly gradeBand: GradeBand;
  readonly targets: readonly WarmupTarget[];
}

/** Returns the stored targets; without any, theta 0 for each sub-skill of the grade's first part. */
export const warmupTargetsOf = (
  stored: readonly WarmupTarget[],
  firstPart: readonly string[],
): readonly WarmupTarget[] =>
  stored.length > 0 ? stored : firstPart.map((subSkillCode) => ({ subSkillCode, theta: 0 }));

/** Returns the items nearest to their sub-skill's target ability first, ties by item id; [] when none is eligible. */
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
