// Where a schema holds schemas: what rewrites one has to know which of its members are values.

export type Keywords = Readonly<Record<string, unknown>>;

/** Their members are values or notes, not schemas. */
const opaque = new Set(['const', 'enum', 'default', 'examples', 'discriminator', 'required', 'dependentRequired']);
/** Their members are schemas by a name that is no keyword. */
const named = new Set(['properties', 'patternProperties', '$defs', 'dependentSchemas']);

export const isSchema = (value: unknown): value is Keywords => typeof value === 'object' && value !== null;

/** A copy of `schema` in which each schema directly in it is what `change` makes of it. */
export function withMembers(schema: Keywords, change: (member: Keywords) => unknown): Keywords {
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
