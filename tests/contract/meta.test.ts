// Properties of every route.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { allRoutes } from '#app/app.ts';
import { openApiDocument } from '#core/http/description/openapi.ts';
import type { Route } from '#core/http/route.ts';
import { openObjects } from './answers/schemas.ts';
import { templateOf } from './operations/table.ts';

const routes = allRoutes();

/** Responses with undeclared properties. The list may only shrink. */
const openAnswers: Readonly<Record<string, string>> = {
  getOpenApi: 'an OpenAPI document, as large as the specification allows',
  exportStudentData: 'rows as they are stored, of every table that knows the student',
  listOrganizationAudit: 'values of any table before and after a change',
  getReadiness: 'its checks are named after the dependencies of the process',
};

/** Query strings to which third parties add parameters. The list may only shrink. */
const openQueries: Readonly<Record<string, string>> = {
  finishGoogleSignIn: 'the provider adds parameters, and may add others tomorrow',
  finishLmsOauth: 'as with a sign-in',
};

/** Writes that redirect a browser. The list may only shrink. */
const returning: readonly string[] = ['finishLmsOauth'];

/** Operations that only respond that they are not available. The list may only shrink. */
const notBuilt: readonly string[] = ['getMinistryReport'];

for (const route of routes) {
  test(`${route.operation}: has a summary, a tag and a success answer`, () => {
    assert.match(route.summary, /^\p{Lu}.{8,100}[^.]$/u);
    assert.ok(route.tag !== '');
    assert.is(successes(route).length > 0, !notBuilt.includes(route.operation));
  });

  test(`${route.operation}: its request body accepts exactly the declared properties`, () => {
    assert.equal(openObjects(plain(route.body)), []);
  });

  test(`${route.operation}: its responses have exactly the declared properties`, () => {
    if (openAnswers[route.operation]) return;
    assert.equal(openObjects(plain(Object.values(route.answers))), []);
  });

  test(`${route.operation}: describes every id of its path, and no other`, () => {
    const named = [...route.path.matchAll(/:(\w+)/g)].map((match) => String(match[1]));
    assert.equal(Object.keys(route.params?.properties ?? {}).sort(), named.sort());
    assert.equal([...(route.params?.required ?? [])].sort(), named.sort());
    assert.equal(openObjects(plain(route.params)), []);
    if (!openQueries[route.operation]) assert.equal(openObjects(plain(route.query)), []);
  });

  test(`${route.operation}: writes only where its method says so`, () => {
    if (route.method !== 'get') return;
    assert.ok(route.allow === 'public' || route.readOnly, 'a GET runs in a read-only transaction');
    if (!returning.includes(route.operation)) assert.is.not(route.demo, 'blocked', 'nothing to block');
    assert.is(route.body, undefined);
  });
}

test('no two routes share an operation or an address', () => {
  assert.is(new Set(routes.map(({ operation }) => operation)).size, routes.length);
  assert.is(
    new Set(routes.map(({ method, path }) => `${method} ${path.replaceAll(/:\w+/g, ':')}`)).size,
    routes.length,
  );
});

test('the OpenAPI document has every route and needs no other document', () => {
  const text = JSON.stringify(openApiDocument(routes));
  const { paths } = JSON.parse(text) as { paths: Record<string, Record<string, { operationId: string }>> };
  const described = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => `${operationId} ${method} ${path}`),
  );
  assert.equal(described.sort(), routes.map((r) => `${r.operation} ${r.method} ${templateOf(r)}`).sort());
  assert.not.match(text, /"\$id"/);
});

test('the OpenAPI document documents whether one or all permissions are required', () => {
  const { paths } = openApiDocument(routes) as { paths: Record<string, Record<string, Record<string, unknown>>> };
  for (const route of routes) {
    const documented = paths[templateOf(route)]?.[route.method]?.['x-permissions'];
    const { allow } = route;
    if (typeof allow === 'string') assert.is(documented, allow, route.operation);
    else assert.equal(documented, 'allOf' in allow ? { allOf: allow.allOf } : { anyOf: allow }, route.operation);
  }
});

test('anonymous callers send little: 16 KiB on every public route, before authentication', () => {
  const open = routes.filter(({ allow, method }) => allow === 'public' && method !== 'get');
  assert.ok(open.length >= 7);
  for (const { operation, bodyLimitBytes } of open) assert.ok(bodyLimitBytes <= 16 * 1024, operation);
});

const successes = (route: Route) => Object.keys(route.answers).filter((status) => Number(status) < 400);

/** Without the notes that the schema library keeps in symbols, as it is sent. */
const plain = (schema: unknown): unknown => (schema === undefined ? undefined : JSON.parse(JSON.stringify(schema)));

test.run();
