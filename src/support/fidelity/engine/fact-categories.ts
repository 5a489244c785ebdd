// The facts of fidelity that follow from delivered support.
import { evidence, type FactCategories, fixed } from '#rules/rulesets/engine/index.ts';

export const factCategories: FactCategories = {
  'fidelity/gate': { ...evidence('thresholdReached'), ...fixed('gateType', 'planned') },
};
