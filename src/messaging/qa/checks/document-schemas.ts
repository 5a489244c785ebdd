// Schema of the document of checks. Which checks exist is defined by the catalogue.
import { alertSeverities } from '#core/module/alerts.ts';
import { type DocumentSchemas, schemaBuilders } from '#rules/rulesets/index.ts';
import { checkKinds } from '../probes/probe.ts';

const { flag, listOf, strict, text } = schemaBuilders;

const word = { type: 'string', pattern: '^[a-z][a-z0-9_]*$', maxLength: 64 };
/** From a second to a month. */
const seconds = { type: 'integer', minimum: 1, maximum: 2_678_400 };

const check = strict({
  qaCheckId: { type: 'string', pattern: '^[A-Z][A-Z0-9_]*$', maxLength: 64 },
  titleEn: { ...text, maxLength: 200 },
  severity: { enum: [...alertSeverities] },
  kind: { enum: [...checkKinds] },
  subject: word,
  probe: word,
  threshold: { anyOf: [{ type: 'null' }, seconds] },
  enabled: flag,
});

export const documentSchemas: DocumentSchemas = {
  sections: { 'qa/checks': { checks: listOf(check, { uniqueItems: true, minItems: 1, maxItems: 200 }) } },
};
