// The categories of the trend's facts.
import { evidence, type FactCategories } from '#rules/rulesets/engine/index.ts';

export const factCategories: FactCategories = {
  // The aim line comes from the norms of the grade.
  'cbm/trend': { ...evidence('monitoringPoints', 'lastBelow', 'slopeGap'), aimLine: 'fixed' },
};
