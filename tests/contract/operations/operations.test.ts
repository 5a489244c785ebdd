// Every served route equals its row in the table of operations. Operations that are not served yet are listed by name.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { allRoutes } from '#app/app.ts';
import type { Route } from '#core/http/route.ts';
import { operations, type Permissions, tabled, templateOf } from './table.ts';
import { unserved, unservedAtFirst } from './unserved.ts';

const routes = allRoutes();

/**
 * The rule of the table cannot be expressed as a list of permissions. The handler checks it, and another test proves
 * it.
 */
const askedByTheHandler: Readonly<Record<string, Permissions>> = {
  // RUN_BACKOFFICE, or a loopback socket.
  getMetrics: 'public',
};

test('the table has 324 operations with different names and addresses', () => {
  assert.is(operations.length, 324);
  assert.is(new Set(operations.map(({ operationId }) => operationId)).size, 324);
  assert.is(new Set(operations.map(({ method, path }) => `${method} ${path}`)).size, 324);
});

test('every served route is in the table', () => {
  const strangers = routes.filter(({ operation }) => tabled(operation) === undefined);
  assert.equal(
    strangers.map(({ operation }) => operation),
    [],
  );
});

for (const route of routes) {
  test(`${route.operation}: method, path, permissions, demo column and success as in the table`, () => {
    const expected = tabled(route.operation);
    if (!expected) throw new Error('not in the table');
    assert.equal(described(route), {
      method: expected.method,
      path: expected.path,
      permissions: inOrder(askedByTheHandler[route.operation] ?? expected.permissions),
      demo: expected.demo,
      success: expected.success,
    });
  });
}

test('the operations that are not served are exactly the explicit list', () => {
  const served = new Set(routes.map(({ operation }) => operation));
  const missing = operations.map(({ operationId }) => operationId).filter((operation) => !served.has(operation));
  assert.equal([...unserved].sort(), missing.sort(), 'a newly served operation leaves the list in unserved.ts');
});

test('the list of operations that are not served only shrinks', () => {
  assert.ok(unserved.length <= unservedAtFirst, `${unserved.length} > ${unservedAtFirst}`);
});

function described(route: Route) {
  // The table omits 304, which every read with an ETag may return.
  const successes = Object.keys(route.answers)
    .map(Number)
    .filter((status) => status !== 304);
  return {
    method: route.method.toUpperCase(),
    path: templateOf(route),
    permissions: inOrder(route.allow),
    demo: route.demo,
    success: successes.sort(),
  };
}

function inOrder(permissions: Permissions): Permissions {
  if (typeof permissions === 'string') return permissions;
  if ('allOf' in permissions) return { allOf: [...permissions.allOf].sort() };
  return [...permissions].sort();
}

test.run();
