// The sections of the documents that say what a band means, by `family/key`. What is hidden of small counts is a value of the
// one whose readers see counts alone.
import { constants, listOf, type Schema, strict, text } from './schema-words.ts';

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

export const bandSchemas: Readonly<Record<string, Readonly<Record<string, Schema>>>> = {
  'band-descriptions/teacher': { bands: bandsOf(ofStudents) },
  'band-descriptions/manager': { constants, bands: bandsOf(inAggregates) },
};
