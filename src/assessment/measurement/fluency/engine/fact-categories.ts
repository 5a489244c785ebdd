// Which facts of a trend follow from what was read.
import { evidence, type FactCategories } from '#rules/rulesets/engine/index.ts';

export const factCategories: FactCategories = {
  // The aim line comes from the norms of the grade.
  'cbm/trend': { ...evidence('monitoringPoints', 'lastBelow', 'slopeGap'), aimLine: 'fixed' },
};
