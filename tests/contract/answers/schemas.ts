// Iterates over the parts of a JSON Schema.

export interface Schema {
  readonly [keyword: string]: unknown;
}

/** Yields `schema` and every schema inside it, each with its path for messages. */
export function* schemasIn(schema: unknown, at = '#'): Generator<readonly [string, Schema]> {
  if (Array.isArray(schema)) {
    for (const [index, member] of schema.entries()) yield* schemasIn(member, `${at}/${index}`);
    return;
  }
  if (typeof schema !== 'object' || schema === null) return;
  yield [at, schema as Schema];
  for (const [keyword, member] of Object.entries(schema)) {
    if (byName.has(keyword)) {
      for (const [name, inner] of Object.entries(member as object)) yield* schemasIn(inner, `${at}/${name}`);
    } else if (nesting.has(keyword)) yield* schemasIn(member, `${at}/${keyword}`);
  }
}

const byName = new Set(['properties', 'patternProperties', '$defs', 'dependentSchemas']);
const nesting = new Set(['items', 'prefixItems', 'oneOf', 'anyOf', 'allOf', 'not', 'if', 'then', 'else']);

/** Returns the objects that accept undeclared properties. A union of closed objects counts as closed. */
export function openObjects(schema: unknown): string[] {
  return [...schemasIn(schema)]
    .filter(([, { type, properties }]) => type === 'object' || properties !== undefined)
    .filter(([, { additionalProperties, unevaluatedProperties, oneOf, anyOf, properties }]) => {
      const isUnion = properties === undefined && (Array.isArray(oneOf) || Array.isArray(anyOf));
      return !isUnion && additionalProperties !== false && unevaluatedProperties !== false;
    })
    .map(([at]) => at);
}
