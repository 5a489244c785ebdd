// The section of the document of checks. Which checks there are the capability that reads it knows.
import { flag, listOf, type Schema, strict, text } from './schema-words.ts';

const word = { type: 'string', pattern: '^[a-z][a-z0-9_]*$', maxLength: 64 };
/** From a second to a month. */
const seconds = { type: 'integer', minimum: 1, maximum: 2_678_400 };

const check = strict({
  qaCheckId: { type: 'string', pattern: '^[A-Z][A-Z0-9_]*$', maxLength: 64 },
  titleEn: { ...text, maxLength: 200 },
  severity: { enum: ['critical', 'high', 'medium', 'low'] },
  kind: { enum: ['runtime', 'audit'] },
  subject: word,
  probe: word,
  threshold: { anyOf: [{ type: 'null' }, seconds] },
  enabled: flag,
});

export const qaSchemas: Readonly<Record<string, Readonly<Record<string, Schema>>>> = {
  'qa/checks': { checks: listOf(check, { uniqueItems: true, minItems: 1, maxItems: 200 }) },
};
