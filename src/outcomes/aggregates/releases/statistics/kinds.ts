// The list of released statistics.
import type { Statistic } from '../../enums.ts';
import { bundleEffectStatistic } from './bundle-effect.ts';
import { quadrantStatistic } from './quadrants.ts';
import type { StatisticKind } from './statistic-kind.ts';
import { sufficiencyStatistic, tileStatistic } from './status.ts';

export const statisticKinds: readonly StatisticKind[] = [
  tileStatistic,
  sufficiencyStatistic,
  bundleEffectStatistic,
  quadrantStatistic,
];

export function statisticKind(space: Statistic): StatisticKind {
  const kind = statisticKinds.find((one) => one.space === space);
  if (!kind) throw new RangeError(`nothing is released of ${space}`);
  return kind;
}
