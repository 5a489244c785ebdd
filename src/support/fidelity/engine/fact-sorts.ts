// Which facts of fidelity follow from support that was given.
import { evidence, type FactSorts, fixed } from '#rules/rulesets/engine/index.ts';

export const factSorts: FactSorts = {
  'fidelity/gate': { ...evidence('thresholdReached'), ...fixed('gateType', 'planned') },
};
