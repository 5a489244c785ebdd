// Schemas of the language documents: the rules of each audience, and the context flags.
import { type DocumentSchemas, schemaBuilders } from '../../rulesets/engine/index.ts';

const { flag, listOf, setOf, strict, text } = schemaBuilders;

const word = { type: 'string', pattern: '^[a-z][a-z_]*$' };
const ruleId = { type: 'string', pattern: '^[A-Z][A-Z0-9-]{1,39}$' };
const shortText = { type: 'string', minLength: 1, maxLength: 200 };
const reasonCodes = ['deficit_label', 'ranking', 'number', 'internal_code', 'diagnosis', 'blame', 'comparison'];

/** The rules of one audience. The section is named `entries`, because `rules` are those of decision tables. */
const languageSet = (...tiers: readonly string[]) => ({
  entries: listOf(
    strict(
      {
        id: ruleId,
        tiers: setOf({ enum: tiers }, 1),
        match: {
          anyOf: [strict({ phrases: setOf(shortText, 1) }), strict({ pattern: shortText })],
        },
        action: { enum: ['block', 'rewrite'] },
        reasonCode: { enum: reasonCodes },
      },
      { exact: flag, replacementAr: shortText },
    ),
    { minItems: 1, maxItems: 500 },
  ),
});

const contextFlags = {
  flags: setOf(strict({ code: word, ar: text, en: text, effect: { enum: ['review', 'none'] } }), 1),
  blocked: setOf(word),
};

export const documentSchemas: DocumentSchemas = {
  sections: {
    'language/staff': languageSet('ui', 'reports', 'teacher_note', 'admin'),
    'language/family': languageSet('parent', 'parent_stricter'),
    'language/student': languageSet('student'),
    'language/context-flags': contextFlags,
  },
};
