// Which facts of growth follow from what was measured.
import { evidence, type FactCategories } from '#rules/rulesets/engine/index.ts';

export const factCategories: FactCategories = {
  'growth-trend/tile': evidence('halted', 'points', 'movement'),
};
