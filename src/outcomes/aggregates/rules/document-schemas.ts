// What the documents hold that say what a band means. What is hidden of small counts is a value of the one whose readers see counts
// alone.
import { type DocumentSchemas, type Schema, schemaBuilders } from '#rules/rulesets/index.ts';

const { constants, count, listOf, strict, text } = schemaBuilders;

const label = { ...text, maxLength: 40 };
const description = { ...text, maxLength: 200 };

/** In the order in which they are shown. */
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
    // With one nothing would be protected.
    'PRT-MIN-01': count(2, 50),
    'PRT-WID-01': count(1, 50),
  },
};
