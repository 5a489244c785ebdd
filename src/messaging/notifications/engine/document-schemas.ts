// Schema of the documents that define the text of a kind of notification. Payload schemas are closed: none that passes here
// admits free text.

import { type DocumentSchemas, type Schema, schemaBuilders } from '#rules/rulesets/engine/index.ts';
import { severities } from '../enums.ts';

const { flag, listOf, strict, text } = schemaBuilders;

const word = { type: 'string', pattern: '^[a-z][A-Za-z0-9_]*$', maxLength: 64 };
const template = { ...text, maxLength: 200 };
const positive = { const: 1 };

/** An identifier, not a text. */
const idPattern = '^[A-Za-z0-9_-]{1,64}$';

const field: Schema = {
  anyOf: [
    strict({ type: { const: 'integer' }, minimum: positive }),
    strict({ type: { const: ['integer', 'null'] }, minimum: positive }),
    strict({ type: { const: 'number' } }),
    strict({ type: { const: 'string' }, pattern: { const: idPattern } }),
    strict({ type: { const: 'string' }, format: { enum: ['date', 'date-time'] } }),
    strict({
      type: { const: 'string' },
      enum: listOf({ type: 'string', pattern: idPattern }, { minItems: 1, maxItems: 50, uniqueItems: true }),
    }),
  ],
};

/** The word for each code, used where a template names the variable. */
const codeWords: Schema = {
  ...{ type: 'object', additionalProperties: false, minProperties: 1, maxProperties: 50 },
  patternProperties: { [idPattern]: { ...text, maxLength: 100 } },
};

const payloadSchema = strict({
  type: { const: 'object' },
  additionalProperties: { const: false },
  required: listOf(word, { uniqueItems: true, maxItems: 20 }),
  properties: {
    type: 'object',
    additionalProperties: false,
    maxProperties: 20,
    patternProperties: { [word.pattern]: field },
  },
});

export const documentSchemas: DocumentSchemas = {
  sections: {
    'notification/*': {
      kind: { type: 'string', pattern: '^[a-z][a-z0-9_]*$', maxLength: 64 },
      active: flag,
      titleTemplateAr: { ...template, maxLength: 80 },
      bodyTemplateAr: template,
      defaultPersona: { enum: ['ADMIN', 'MANAGER', 'PRINCIPAL', 'TEACHER', 'PARENT'] },
      defaultSeverity: { enum: [...severities] },
      retentionDays: { type: 'integer', minimum: 1, maximum: 3650 },
      payloadSchema,
    },
  },
  optionalSections: { 'notification/*': { words: strict({}, { reasonAr: codeWords, stageAr: codeWords }) } },
};
