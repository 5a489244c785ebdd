// What the constants of growth may be.
import { documentWords, type RuleShapes } from '#rules/rulesets/engine/index.ts';

const { count } = documentWords;

export const ruleShapes: RuleShapes = {
  constants: {
    // A school year has three seasons.
    'GTR-PTS-01': count(1, 3),
    'GTR-PTS-02': count(1, 3),
  },
};
