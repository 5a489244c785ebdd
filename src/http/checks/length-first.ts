// Rewrites a schema so that what costs more than a glance is tried only on what is short enough: a pattern or a format
// never runs on a string longer than its `maxLength`, and items are compared only in lists of `maxItems` and fewer.
// ajv by itself tries every keyword, whatever the others said.
import { isSchema, type Keywords, withMembers } from './members.ts';

/** Keywords that cost, and the bound below which they are tried. */
const bounded = [
  { bound: 'maxLength', costly: ['pattern', 'format'] },
  { bound: 'maxItems', costly: ['uniqueItems'] },
] as const;
/** A copy that accepts the same values. A costly keyword without its bound stays where it is. */
export function lengthFirst<Schema>(schema: Schema): Schema {
  return (isSchema(schema) ? rewritten(schema) : schema) as Schema;
}

const rewritten = (schema: Keywords): Keywords => bounded.reduce(behindBound, withMembers(schema, rewritten));

function behindBound(schema: Keywords, { bound, costly }: (typeof bounded)[number]): Keywords {
  const late = Object.entries(schema).filter(([keyword]) => (costly as readonly string[]).includes(keyword));
  if (late.length === 0 || schema[bound] === undefined) return schema;
  const early = Object.entries(schema).filter(([keyword]) => !(costly as readonly string[]).includes(keyword));
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  const tried = { if: { [bound]: schema[bound] }, then: Object.fromEntries(late) };
  const { allOf = [], ...rest } = Object.fromEntries(early) as Keywords & { allOf?: readonly unknown[] };
  return { ...rest, allOf: [...allOf, tried] };
}
