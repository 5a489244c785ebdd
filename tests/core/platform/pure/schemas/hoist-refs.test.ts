// A schema whose repeated parts are hoisted accepts the same values, and is no larger.
import Type, { type TSchema } from 'typebox';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { allRoutes } from '#app/app.ts';
import { checkJson } from '#core/http/checks/validation.ts';
import { hoistRefs } from '#core/platform/pure/schemas/hoist-refs.ts';

type Json = Record<string, unknown>;

/** The size of a shared part; smaller ones are not hoisted. */
const wide = (kind: string) =>
  Type.Object({
    kind: Type.Literal(kind),
    ...Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((name) => [name, Type.Integer()])),
  });

const plain = (schema: object): unknown => JSON.parse(JSON.stringify(schema));

/** Returns the schema with references resolved. */
function expanded({ $defs, ...schema }: Json): unknown {
  const put = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(put);
    if (typeof value !== 'object' || value === null) return value;
    const [, name] = /^#\/\$defs\/(part\d+)$/.exec(String((value as Json).$ref)) ?? [];
    if (name !== undefined) return put(($defs as Json)[name]);
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, put(member)]));
  };
  return put(schema);
}

const schemasIn = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? Object.values(value).reduce((sum: number, member) => sum + schemasIn(member), 1)
    : 0;

const schemas = allRoutes().flatMap(({ operation, answers, body, query }) =>
  Object.entries({ ...answers, body, query }).flatMap(([part, schema]) =>
    schema === undefined ? [] : [{ at: `${operation} ${part}`, schema }],
  ),
);

test('a part in two places is hoisted; a small one stays', () => {
  const [part, small] = [wide('x'), Type.Array(Type.String())];
  const hoisted = hoistRefs(Type.Object({ one: part, two: Type.Array(part), three: small, four: small })) as Json;
  assert.equal(plain(hoisted.$defs as Json), { part0: plain(part) });
  assert.equal(plain(hoisted.properties as Json), {
    one: { $ref: '#/$defs/part0' },
    two: { type: 'array', items: { $ref: '#/$defs/part0' } },
    three: plain(small),
    four: plain(small),
  });
});

test('values that look like a schema are unchanged', () => {
  const value = { type: 'object', properties: { a: 1, b: 2, c: 3, d: 4, e: 5, f: 6, g: 7 } };
  const schema = { type: 'array', items: { const: value }, contains: { enum: [value] } };
  assert.is(hoistRefs(schema), schema);
});

test('unions keep their discriminator, also with named members', () => {
  const member = { discriminator: { propertyName: 'kind' }, oneOf: [wide('x'), wide('y')] };
  const schema = { type: 'object', properties: { one: member, two: { ...member, oneOf: [...member.oneOf] } } };
  const issues = (value: unknown) => checkJson(schema as unknown as TSchema)(value);
  const right = { kind: 'x', a: 1, b: 2, c: 3, d: 4, e: 5 };
  assert.equal(issues({ one: right, two: { ...right, kind: 'y' } }), []);
  assert.equal(issues({ one: { ...right, a: 'one' }, two: { ...right, kind: 'z' } }), [
    { field: 'one.a', issue: 'must be integer' },
    { field: 'two.kind', issue: 'is not one of the known values' },
  ]);
});

test('each schema of a route is equivalent after hoisting', () => {
  for (const { at, schema } of schemas)
    assert.equal(JSON.stringify(expanded(hoistRefs(schema) as Json)), JSON.stringify(schema), at);
});

/** ajv takes about a millisecond for ten. */
const mostSchemas = 2_500;

test('no route has so many schemas that compiling them blocks the process', () => {
  const large = schemas
    .map(({ at, schema }) => ({ at, size: schemasIn(plain(hoistRefs(schema))) }))
    .filter(({ size }) => size > mostSchemas);
  assert.equal(large, []);
});

test.run();
