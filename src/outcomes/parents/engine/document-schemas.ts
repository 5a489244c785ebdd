// Schemas of the constants of growth.
import { type DocumentSchemas, schemaBuilders } from '#rules/rulesets/engine/index.ts';

const { count } = schemaBuilders;

export const documentSchemas: DocumentSchemas = {
  constants: {
    // A school year has three seasons.
    'GTR-PTS-01': count(1, 3),
    'GTR-PTS-02': count(1, 3),
  },
};
