// Categories of the facts of growth: all are evidence.
import { evidence, type FactCategories } from '#rules/rulesets/engine/index.ts';

export const factCategories: FactCategories = {
  'growth-trend/tile': evidence('halted', 'points', 'movement'),
};
