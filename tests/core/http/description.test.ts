// The API description names schemas that occur in several places; with references resolved it equals the schemas of the routes.
import Type, { type TSchema } from 'typebox';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { allRoutes } from '#app/app.ts';
import { componentsOf } from '#core/http/description/components.ts';
import { openApiDocument } from '#core/http/description/openapi.ts';
import { named, object } from '#core/http/schemas.ts';

type Json = Record<string, unknown>;

const routes = allRoutes();
const document = JSON.parse(JSON.stringify(openApiDocument(routes))) as {
  readonly paths: Record<string, Record<string, { requestBody?: Json; responses: Record<string, Json> }>>;
  readonly components: { readonly schemas: Record<string, Json>; readonly responses: Record<string, Json> };
};

/** Returns a value without the titles of schemas, with references resolved. */
function written(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(written);
  if (typeof value !== 'object' || value === null) return value;
  const { $ref, title, ...members } = value as Json & { readonly $ref?: string };
  const rest = typeof title === 'string' || title === undefined ? members : { ...members, title };
  const target = typeof $ref === 'string' ? (written(document.components.schemas[lastOf($ref)]) as Json) : {};
  return { ...target, ...Object.fromEntries(Object.entries(rest).map(([key, member]) => [key, written(member)])) };
}

const lastOf = (reference: string): string => reference.slice(reference.lastIndexOf('/') + 1);
const schemaIn = (part: Json | undefined): unknown =>
  Object.values((part?.content ?? {}) as Record<string, { schema: unknown }>)[0]?.schema;

test('two schemas of one name are refused, one schema in two places is described once', () => {
  const { refer, all } = componentsOf();
  const twin = () => named('Twin', object({ a: Type.String() }));
  assert.equal(refer(twin()), { $ref: '#/components/schemas/Twin' });
  refer(twin());
  assert.equal(Object.keys(all().schemas), ['Twin']);
  assert.throws(() => refer(named('Twin', object({ b: Type.String() }))), /two schemas are called Twin/);
});

test('a property may have the name of a keyword', () => {
  const { refer } = componentsOf();
  const inner = () => named('Inner', object({ a: Type.String() }));
  const shown = refer(object({ default: inner(), title: Type.String() })) as { readonly properties: Json };
  assert.equal(shown.properties, { default: { $ref: '#/components/schemas/Inner' }, title: { type: 'string' } });
});

for (const route of routes) {
  test(`${route.operation}: body and answers, resolved, are the route's own schemas`, () => {
    const described = document.paths[route.path.replaceAll(/:(\w+)/g, '{$1}')]?.[route.method];
    const plain = (schema: TSchema | undefined) => schema && written(JSON.parse(JSON.stringify(schema)));
    assert.equal(written(schemaIn(described?.requestBody)), plain(route.body));
    for (const [status, schema] of Object.entries(route.answers)) {
      const shown = schemaIn(described?.responses[status]);
      if (shown !== undefined) assert.equal(written(shown), plain(schema), status);
    }
  });
}

test.run();
