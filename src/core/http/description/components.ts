// The named schemas of the API description: a schema that occurs in many places is written once, and client generators find a name
// for every body and every answer.
import type { TSchema } from 'typebox';

export interface Components {
  /**
   * The schema as the description shows it: a reference where it has a name, with references for the named parts within.
   * `fallback` names one that has no title of its own. Throws Error for a second schema of the same name.
   */
  refer(schema: TSchema, fallback?: string): object;
  /** Returns a reference to a refusal; refusals with the same codes share one component. */
  referRefusal(codes: readonly string[], refusal: object): object;
  /** Returns all components that were referred to, in alphabetical order. */
  all(): { readonly schemas: Record<string, object>; readonly responses: Record<string, object> };
}

type Json = Record<string, unknown>;

export function componentsOf(): Components {
  const texts = new Map<string, string>();
  const refusals = new Map<string, object>();
  const register = (name: string, schema: Json): Json => {
    const { title: _named, description, default: preset, ...body } = schema;
    const shown = shownOf(body);
    const text = JSON.stringify(shown);
    const known = texts.get(name);
    if (known !== undefined && known !== text) throw new Error(`two schemas are called ${name}`);
    texts.set(name, text);
    return {
      $ref: `#/components/schemas/${name}`,
      ...(description !== undefined && { description }),
      ...(preset !== undefined && { default: preset }),
    };
  };
  const shown = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(shown);
    if (typeof value !== 'object' || value === null) return value;
    const schema = value as Json;
    return typeof schema.title === 'string' ? register(schema.title, schema) : shownOf(schema);
  };
  const shownOf = (schema: Json): Json =>
    mapped(schema, (member, key) => {
      if (maps.has(key)) return mapped(member as Json, shown);
      return literals.has(key) ? member : shown(member);
    });
  return {
    refer(schema, fallback) {
      const plain = JSON.parse(JSON.stringify(schema)) as Json;
      const name = plain.title ?? (plain.type === 'object' || plain.anyOf !== undefined ? fallback : undefined);
      return typeof name === 'string' ? register(name, plain) : (shown(plain) as object);
    },
    referRefusal(codes, refusal) {
      const name = codes.map(pascalCase).join('Or');
      refusals.set(name, refusal);
      return { $ref: `#/components/responses/${name}` };
    },
    all: () => ({
      schemas: Object.fromEntries([...texts].sort(byName).map(([name, text]) => [name, JSON.parse(text)])),
      responses: Object.fromEntries([...refusals].sort(byName)),
    }),
  };
}

const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]) => (a < b ? -1 : 1);

/** `TOKEN_MISSING` → `TokenMissing`. */
const pascalCase = (code: string): string =>
  code
    .split('_')
    .map((word) => word.charAt(0) + word.slice(1).toLowerCase())
    .join('');

const mapped = (members: Json, change: (member: unknown, key: string) => unknown): Json =>
  Object.fromEntries(Object.entries(members).map(([key, member]) => [key, change(member, key)]));

/** Keywords whose members are named by the author of the schema. */
const maps = new Set(['properties', 'patternProperties']);
/** Keywords that hold values, not schemas. */
const literals = new Set(['enum', 'const', 'default', 'required', 'examples']);
