// Schema of the document of fidelity.
import { type DocumentSchemas, schemaBuilders } from '#rules/rulesets/engine/index.ts';

const { constants, count, share } = schemaBuilders;

export const documentSchemas: DocumentSchemas = {
  sections: { 'fidelity/settings': { constants } },
  constants: {
    'FID-RAT-01': share,
    'FID-CAP-01': count(0, 7),
    'FID-WKS-01': count(1, 40),
    'FID-WIN-01': count(1, 60),
  },
};
