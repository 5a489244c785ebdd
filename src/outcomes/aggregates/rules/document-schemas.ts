// Schemas of the documents that describe bands. The protection constants are in the document of the audience that reads
// counts only.
import { type DocumentSchemas, type Schema, schemaBuilders } from '#rules/rulesets/index.ts';

const { constants, count, listOf, strict, text } = schemaBuilders;

const label = { ...text, maxLength: 40 };
const description = { ...text, maxLength: 200 };

/** Bands in display order. */
const inAggregates = ['Meets', 'Approaching', 'Below', 'Severe', 'More_Data'];
const ofStudents = [...inAggregates, 'Partial', 'Contextual', 'Not_Assessed'];

const bandsOf = (bands: readonly string[]): Schema =>
  listOf(strict({ band: { enum: bands }, labelAr: label, descriptionAr: description }), {
    uniqueItems: true,
    minItems: bands.length,
    maxItems: bands.length,
  });

export const documentSchemas: DocumentSchemas = {
  sections: {
    'band-descriptions/teacher': { bands: bandsOf(ofStudents) },
    'band-descriptions/manager': { constants, bands: bandsOf(inAggregates) },
  },
  constants: {
    // A threshold of 1 would protect nothing.
    'PRT-MIN-01': count(2, 50),
    'PRT-WID-01': count(1, 50),
  },
};
