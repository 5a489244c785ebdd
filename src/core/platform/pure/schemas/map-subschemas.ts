// Knows which members of a schema are schemas and which are values, for functions that rewrite schemas.

export type Keywords = Readonly<Record<string, unknown>>;

/** The members of these keywords are values or annotations, not schemas. */
const opaque = new Set(['const', 'enum', 'default', 'examples', 'discriminator', 'required', 'dependentRequired']);
/** The members of these keywords are schemas whose names are not keywords. */
const named = new Set(['properties', 'patternProperties', '$defs', 'dependentSchemas']);

export const isSchema = (value: unknown): value is Keywords => typeof value === 'object' && value !== null;

/** Returns a copy of `schema` in which each direct subschema is replaced by the result of `change`. */
export function mapSubschemas(schema: Keywords, change: (member: Keywords) => unknown): Keywords {
  const changed = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(changed);
    return isSchema(value) ? change(value) : value;
  };
  return mapValues(schema, (keyword, value) => {
    if (opaque.has(keyword)) return value;
    return named.has(keyword) ? mapValues(value as Keywords, (_name, member) => changed(member)) : changed(value);
  });
}

const mapValues = (members: Keywords, change: (name: string, value: unknown) => unknown): Keywords =>
  Object.fromEntries(Object.entries(members).map(([name, value]) => [name, change(name, value)]));
