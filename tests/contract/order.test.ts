// The order of checks, on every route with the same invalid request: authentication, permission, existence, reach,
// demo, and only then the content of the request.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Route } from '#core/http/route.ts';
import type { Reply } from '../harness/fetch.ts';
import { useApp } from '../harness/http.ts';
import { buildWorld, type Person, type World } from '../harness/world.ts';
import { entryOf, refusesByItself } from './entries/index.ts';
import { callers, expectedStatus, personas, refusedByPermission } from './operations/access.ts';
import { type Operation, tabled } from './operations/table.ts';
import { pathOf } from './requests/entry.ts';
import { aimAt, requestableRoutes } from './requests/route-caller.ts';
import { absentTarget, type Target, targetOf } from './requests/targets.ts';

const app = useApp(test, { settings: { RATE_LIMIT_USER_PER_MINUTE: '1000000', RATE_LIMIT_IP_PER_MINUTE: '1000000' } });
let world: World;

test.before(async () => {
  world = await buildWorld(app);
});

for (const route of requestableRoutes()) {
  const operation = tabled(route.operation);
  if (!operation || route.allow === 'public') continue;

  test(`${route.operation}: without a token 401, whatever the request contains`, async () => {
    assertCode(await hopeless(route, undefined, own()), 401, 'TOKEN_MISSING');
  });

  const stranger = personas.find((persona) => refusedByPermission(operation, persona) === 403);
  if (stranger && stranger !== 'SUPER') {
    test(`${route.operation}: without the permission 403, whatever the request contains`, async () => {
      assertCode(await hopeless(route, personNamed(stranger), absentTarget()), 403, 'PERMISSION_DENIED');
    });
  }

  const permitted = personas.filter((persona) => refusedByPermission(operation, persona) === undefined);
  const insider = permitted.find((persona) => persona !== 'SUPER' && reaches(operation, route, persona));
  if (insider && holdsTenantIdInPath(route)) {
    test(`${route.operation}: an absent id 404, whatever the request contains`, async () => {
      assertCode(await hopeless(route, personNamed(insider), absentTarget()), 404, 'NOT_FOUND');
    });
    const outsider = callers.find(
      (caller) => refusedByPermission(operation, caller) === undefined && !reaches(operation, route, caller),
    );
    if (outsider) {
      test(`${route.operation}: an id out of reach 403, whatever the request contains`, async () => {
        assertCode(await hopeless(route, personNamed(outsider), own()), 403, 'PERMISSION_DENIED');
      });
    }
  }

  if (insider && route.demo === 'blocked') {
    test(`${route.operation}: in the demo 403, whatever the request contains`, async () => {
      const person = world.demo.people[insider as 'ADMIN'];
      assertCode(await hopeless(route, person, targetOf(app, world.demo)), 403, 'DEMO_READ_ONLY');
    });
  }

  const permittedCaller =
    insider ?? permitted.find((persona) => !refusesByItself(route.operation, persona)) ?? permitted[0];
  if (permittedCaller && permittedCaller !== 'nobody') {
    test(`${route.operation}: the content of the request is checked last, 422`, async () => {
      assertCode(await hopeless(route, personNamed(permittedCaller), own()), 422, 'VALIDATION_ERROR');
    });
  }
}

const own = () => targetOf(app, world.own);

function personNamed(caller: (typeof callers)[number]): Person | undefined {
  if (caller === 'nobody') return undefined;
  return caller === 'SUPER' ? world.superAdmin : world.own.people[caller];
}

/** Routes with another outcome declare it in their entry and are left out here. */
function reaches(operation: Operation, route: Route, caller: (typeof callers)[number]): boolean {
  const { expect } = entryOf(route.operation);
  // The state of the rows causes the refusal, not the caller.
  if (typeof expect === 'object' && [409, 422].includes(expect[caller] ?? 0)) return true;
  if (expect !== undefined) return false;
  return expectedStatus(operation, caller) < 400;
}

/** A value of a closed list is not an id of an organization. */
function holdsTenantIdInPath({ params, operation }: Route): boolean {
  const holdsId = Object.values(params?.properties ?? {}).some((schema) => !('enum' in schema));
  return holdsId && (entryOf(operation).slots?.includes('tenant') ?? false);
}

/** Sends the ids of the target with an unknown query parameter and a body that is not JSON. */
async function hopeless(route: Route, caller: Person | undefined, target: Target): Promise<Reply> {
  const request = (await entryOf(route.operation).request?.({ at: aimAt(target), app, caller })) ?? {};
  const path = pathOf(route, { ...request, query: { nonsense: 1 } });
  return app.request(route.method.toUpperCase(), path, {
    ...(caller && { token: caller.token }),
    ...(route.method !== 'get' && { bytes: '{' }),
  });
}

function assertCode({ status, body }: Reply, expected: number, code: string): void {
  assert.is(status, expected, JSON.stringify(body));
  assert.is((body as { code: string }).code, code);
}

test.run();
