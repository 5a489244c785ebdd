// Rewrites a schema so that what costs more than a glance is tried only on what is short enough: a pattern or a format
// never runs on a text longer than its `maxLength`, and no member of a list or map is looked at where there are more of
// them than `maxItems` or `maxProperties`. Needed where all faults are collected: ajv then tries every keyword, whatever
// the others said. Where it stops at the first fault, it asks for the size first by itself.
import { isSchema, type Keywords, withMembers } from './members.ts';

interface Bounded {
  readonly bound: string;
  readonly costly: readonly string[];
  /** What the costly keywords need beside them: where it stands, they stay. */
  readonly unless?: string;
}

/** Keywords that cost, and the bound below which they are tried. */
const bounded: readonly Bounded[] = [
  { bound: 'maxLength', costly: ['pattern', 'format'] },
  { bound: 'maxItems', costly: ['uniqueItems', 'items', 'contains'], unless: 'prefixItems' },
  {
    bound: 'maxProperties',
    costly: ['properties', 'patternProperties', 'additionalProperties', 'propertyNames'],
    unless: 'unevaluatedProperties',
  },
];

/** A copy that accepts the same values. A costly keyword without its bound stays where it is. */
export function lengthFirst<Schema>(schema: Schema): Schema {
  return (isSchema(schema) ? rewritten(schema) : schema) as Schema;
}

const rewritten = (schema: Keywords): Keywords => bounded.reduce(behindBound, withMembers(schema, rewritten));

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
