// The JSON Schemas of rule documents: everything that is not named here is refused.
import type { ErrorObject } from 'ajv/dist/2020.js';
import { jsonValidator, type Validate } from '#core/platform/pure/json-schema.ts';
import { errorFinding, type Finding, warningFinding } from '../document/findings.ts';
import { tableLimits } from '../document/table-limits.ts';
import type { DocumentValidators } from './document-validators.ts';
import {
  constants,
  dictionary,
  fourDecimals,
  identity,
  listOf,
  localText,
  type Schema,
  strict,
  text,
} from './schema-builders.ts';

const better = { enum: ['up', 'down', null] };
const numericFact = (type: 'integer' | 'decimal') =>
  strict({ type: { const: type }, min: { type: 'number' }, max: { type: 'number' }, better }, { unit: text });
const fact = {
  type: 'object',
  required: ['type'],
  discriminator: { propertyName: 'type' },
  oneOf: [
    numericFact('integer'),
    numericFact('decimal'),
    strict({
      type: { const: 'enum' },
      values: listOf(text, { minItems: 1, maxItems: tableLimits.values, uniqueItems: true }),
      better,
    }),
    strict({ type: { const: 'boolean' }, better }),
  ],
};
const words = listOf(text, { uniqueItems: true, maxItems: tableLimits.values });
/** Conditions are validated by `condition-checks.ts`, whose messages name the rule and the path. */
const condition = { type: 'object' };
const params = {
  ...dictionary('^[a-z][A-Za-z0-9]*$', {}),
  required: ['outcome'],
  properties: { outcome: text, messageKey: text },
};

const tableSchema = strict(
  {
    meta: strict({ ...identity, hitPolicy: { enum: ['first', 'collect'] }, vocabulary: text }),
    facts: { ...dictionary('^[a-z][A-Za-z0-9]*$', fact), minProperties: 1, maxProperties: tableLimits.facts },
    outcomes: strict({ order: words, unordered: words }),
    rules: listOf(
      strict({
        name: { type: 'string', pattern: '^[A-Z][A-Z0-9-]*$' },
        priority: { type: 'number' },
        rationale: text,
        conditions: condition,
        event: strict({ type: text, params }),
      }),
      { minItems: 1, maxItems: tableLimits.rules },
    ),
  },
  {
    constraints: listOf(strict({ id: text, rationale: text, impossible: condition }), {
      maxItems: tableLimits.constraints,
    }),
    constants,
    messages: dictionary('^[a-z][A-Za-z0-9_.-]*$', localText),
    waivers: listOf(strict({ code: text, subject: text, reason: text })),
  },
);

/** The common schema of value documents; each document's own schema defines the sections. */
const valueSchema = {
  type: 'object',
  required: ['meta'],
  properties: { meta: strict(identity), constants },
};

const isTable = jsonValidator(() => tableSchema);
const isValueDocument = jsonValidator(() => valueSchema);
/** Returns a validator of a value document with these sections beside `meta`; `optional` ones may be omitted. */
export const sectionsValidator = (sections: Schema, optional: Schema = {}): Validate =>
  jsonValidator(() => strict({ meta: strict(identity), ...sections }, optional));

export const tableShapeFindings = (document: unknown): Finding[] => findingsBy(isTable, document);

/** Returns the findings of a value document. One without a schema is accepted with a warning. */
export function valueShapeFindings(document: unknown, { sections: known }: DocumentValidators): Finding[] {
  const general = findingsBy(isValueDocument, document);
  if (general.length > 0) return general;
  const { family, key } = (document as { readonly meta: { readonly family: string; readonly key: string } }).meta;
  const name = `${family}/${key}`;
  const sections = known.get(name) ?? known.get(`${family}/*`);
  if (sections) return findingsBy(sections, document);
  return [warningFinding('SCHEMA', 'no_schema', { document: name })];
}

const findingsBy = (validate: Validate, document: unknown): Finding[] =>
  validate(document).map((error) => {
    const path = error.instancePath || 'document';
    return errorFinding(codeOf(error), 'shape', { path, problem: problemOf(error) }, ...ruleAt(error, document));
  });

/** A number that is compared with a decimal fact has the resolution of one. */
const codeOf = ({ params }: ErrorObject): 'FACT' | 'SCHEMA' => (params.format === fourDecimals ? 'FACT' : 'SCHEMA');

/** Returns the name of the rule in which an error lies, if any. */
function ruleAt({ instancePath }: ErrorObject, document: unknown): string[] {
  const [, row] = /^\/rules\/(\d+)/.exec(instancePath) ?? [];
  const rules = (document as { readonly rules?: readonly { readonly name?: unknown }[] }).rules;
  const name = row === undefined ? undefined : rules?.[Number(row)]?.name;
  return typeof name === 'string' ? [name] : [];
}

function problemOf({ message = 'is not valid', params }: ErrorObject): string {
  const extra = params.additionalProperty ?? params.allowedValues ?? params.allowedValue;
  return `${message}${extra === undefined ? '' : ` (${String(extra)})`}`;
}
