// Which facts of fidelity follow from support that was given.
import { evidence, type FactCategories, fixed } from '#rules/rulesets/engine/index.ts';

export const factCategories: FactCategories = {
  'fidelity/gate': { ...evidence('thresholdReached'), ...fixed('gateType', 'planned') },
};
