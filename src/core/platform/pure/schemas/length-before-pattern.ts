// Rewrites a schema so that expensive keywords are evaluated only on values within their bounds: a pattern or a format never runs
// on a text longer than its `maxLength`, and no member of a list or map is checked if there are more members than `maxItems` or
// `maxProperties`. This is needed where all faults are collected, because ajv then evaluates every keyword, whatever the others
// reported. Where ajv stops at the first fault, it checks the size first anyway.
import { isSchema, type Keywords, mapSubschemas } from './map-subschemas.ts';

interface Bounded {
  readonly bound: string;
  readonly costly: readonly string[];
  /** A keyword that the costly ones depend on: where it is present, they are not moved. */
  readonly unless?: string;
}

/** The costly keywords, and the bound within which they are evaluated. */
const bounded: readonly Bounded[] = [
  { bound: 'maxLength', costly: ['pattern', 'format'] },
  { bound: 'maxItems', costly: ['uniqueItems', 'items', 'contains'], unless: 'prefixItems' },
  {
    bound: 'maxProperties',
    costly: ['properties', 'patternProperties', 'additionalProperties', 'propertyNames'],
    unless: 'unevaluatedProperties',
  },
];

/** Returns a copy that accepts the same values. A costly keyword without its bound is not moved. */
export function lengthBeforePattern<Schema>(schema: Schema): Schema {
  return (isSchema(schema) ? rewritten(schema) : schema) as Schema;
}

const rewritten = (schema: Keywords): Keywords => bounded.reduce(behindBound, mapSubschemas(schema, rewritten));

function behindBound(schema: Keywords, { bound, costly, unless }: Bounded): Keywords {
  const late = Object.entries(schema).filter(([keyword]) => costly.includes(keyword));
  if (late.length === 0 || schema[bound] === undefined) return schema;
  if (unless !== undefined && schema[unless] !== undefined) return schema;
  const early = Object.entries(schema).filter(([keyword]) => !costly.includes(keyword));
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  const tried = { if: { [bound]: schema[bound] }, then: Object.fromEntries(late) };
  const { allOf = [], ...rest } = Object.fromEntries(early) as Keywords & { allOf?: readonly unknown[] };
  return { ...rest, allOf: [...allOf, tried] };
}
