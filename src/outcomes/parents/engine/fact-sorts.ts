// Which facts of growth follow from what was measured.
import { evidence, type FactSorts } from '#rules/rulesets/engine/index.ts';

export const factSorts: FactSorts = {
  'growth-trend/tile': evidence('halted', 'points', 'movement'),
};
