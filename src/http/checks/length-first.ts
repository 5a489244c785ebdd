// Rewrites a schema so that what costs more than a glance is tried only on what is short enough: a pattern or a format
// never runs on a string longer than its `maxLength`, and items are compared only in lists of `maxItems` and fewer.
// ajv by itself tries every keyword, whatever the others said.

type Keywords = Readonly<Record<string, unknown>>;

/** Keywords that cost, and the bound below which they are tried. */
const bounded = [
  { bound: 'maxLength', costly: ['pattern', 'format'] },
  { bound: 'maxItems', costly: ['uniqueItems'] },
] as const;
/** Their members are values or notes, not schemas. */
const opaque = new Set(['const', 'enum', 'default', 'examples', 'discriminator', 'required', 'dependentRequired']);
/** Their members are schemas by a name that is no keyword. */
const named = new Set(['properties', 'patternProperties', '$defs', 'dependentSchemas']);

/** A copy that accepts the same values. A costly keyword without its bound stays where it is. */
export function lengthFirst<Schema>(schema: Schema): Schema {
  return rewritten(schema) as Schema;
}

function rewritten(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(rewritten);
  if (typeof schema !== 'object' || schema === null) return schema;
  return bounded.reduce(behindBound, eachMember(schema as Keywords));
}

function eachMember(schema: Keywords): Keywords {
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => {
      if (opaque.has(keyword)) return [keyword, value];
      return [keyword, named.has(keyword) ? eachNamed(value as Keywords) : rewritten(value)];
    }),
  );
}

const eachNamed = (schemas: Keywords): Keywords =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, rewritten(schema)]));

function behindBound(schema: Keywords, { bound, costly }: (typeof bounded)[number]): Keywords {
  const late = Object.entries(schema).filter(([keyword]) => (costly as readonly string[]).includes(keyword));
  if (late.length === 0 || schema[bound] === undefined) return schema;
  const early = Object.entries(schema).filter(([keyword]) => !(costly as readonly string[]).includes(keyword));
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  const tried = { if: { [bound]: schema[bound] }, then: Object.fromEntries(late) };
  const { allOf = [], ...rest } = Object.fromEntries(early) as Keywords & { allOf?: readonly unknown[] };
  return { ...rest, allOf: [...allOf, tried] };
}
