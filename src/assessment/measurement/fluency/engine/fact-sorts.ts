// Which facts of a trend follow from what was read.
import { evidence, type FactSorts } from '#rules/rulesets/engine/index.ts';

export const factSorts: FactSorts = {
  // The aim line comes from the norms of the grade.
  'cbm/trend': { ...evidence('monitoringPoints', 'lastBelow', 'slopeGap'), aimLine: 'fixed' },
};
