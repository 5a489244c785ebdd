// timeout: 480s
// Calls every route as every persona, with ids of the own organization, of another one and of none.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { allRoutes } from '#app/app.ts';
import type { Route } from '#core/http/route.ts';
import type { Reply } from '../../harness/fetch.ts';
import { useApp } from '../../harness/http.ts';
import { buildWorld, type World } from '../../harness/world.ts';
import { entryNames, entryOf } from '../entries/index.ts';
import type { Slot } from '../requests/entry.ts';
import { RouteCaller, requestableRoutes, type Targets, targetsOf } from '../requests/route-caller.ts';
import { type Caller, callers, expectedStatus } from './access.ts';
import { tabled } from './table.ts';

const app = useApp(test, { settings: { RATE_LIMIT_USER_PER_MINUTE: '1000000', RATE_LIMIT_IP_PER_MINUTE: '1000000' } });
const routes = requestableRoutes();
let routeCaller: RouteCaller;
let targets: Targets;

test.before(async () => {
  const world: World = await buildWorld(app);
  routeCaller = new RouteCaller(app, world);
  targets = targetsOf(app, world);
});

test('every route has an entry, and every entry a route', () => {
  assert.equal(
    entryNames.sort(),
    allRoutes()
      .map(({ operation }) => operation)
      .sort(),
  );
});

for (const route of routes) {
  for (const caller of callers) {
    test(`${route.operation} by ${caller}: own organization`, async () => {
      const reply = await routeCaller.call(route, caller, targets.everyOwn);
      assertStatus(reply, route, expected(route, caller));
    });
  }
}

for (const route of routes) {
  for (const slot of entryOf(route.operation).slots ?? []) {
    for (const caller of callers) {
      test(`${route.operation} by ${caller}: ${slot} of another organization gets the response of an absent id`, async () => {
        const foreign = await routeCaller.call(route, caller, { ...targets.everyOwn, [slot]: targets.other });
        const absent = await routeCaller.call(route, caller, { ...targets.everyOwn, [slot]: targets.absent });
        assert.is(absent.status, expectedWhenAbsent(route, caller, slot), JSON.stringify(absent.body));
        if (!seesEverything(route, caller, slot)) assert.equal(visible(foreign), visible(absent));
      });
    }
  }
}

for (const route of routes) {
  if (!entryOf(route.operation).slots?.includes('tenant')) continue;
  test(`${route.operation} by SUPER: any organization`, async () => {
    const reply = await routeCaller.call(route, 'SUPER', targets.everyOther);
    assertStatus(reply, route, expected(route, 'SUPER'));
  });
}

/** A success may be any of those in the table. */
function assertStatus({ status, body }: Reply, route: Route, wanted: number): void {
  const successes = tabled(route.operation)?.success ?? [];
  const wantedOnes = successes.includes(wanted) ? successes : [wanted];
  assert.ok(wantedOnes.includes(status), `${status}, not ${wantedOnes.join(' or ')}: ${JSON.stringify(body)}`);
}

/** Returns the status that the contract has for this caller and rows of the own organization. */
function expected(route: Route, caller: Caller): number {
  const operation = tabled(route.operation);
  if (!operation) throw new Error(`${route.operation} is not in the table`);
  const { expect } = entryOf(route.operation);
  if (typeof expect === 'number') return expect;
  return expect?.[caller] ?? expectedStatus(operation, caller);
}

/**
 * The permission is checked before the look-up, the look-up before reach. Ids in the body are looked up after all of
 * them.
 */
function expectedWhenAbsent(route: Route, caller: Caller, slot: Slot): number {
  const operation = tabled(route.operation);
  const own = expected(route, caller);
  if (slot === 'filter' || !operation || entryOf(route.operation).refusedFirst?.includes(caller)) return own;
  if (slot === 'content') return own >= 400 ? own : 404;
  return routeCaller.permitted(operation, caller) ? 404 : own;
}

/** A SUPER administrator finds rows of the other organization, so the responses differ. */
function seesEverything(route: Route, caller: Caller, slot: Slot): boolean {
  const mixed = entryOf(route.operation).slots?.includes('content') ?? false;
  return caller === 'SUPER' && (slot === 'filter' || (slot === 'tenant' && !mixed));
}

/** Returns everything by which a caller could distinguish two responses. */
function visible({ status, body, headers }: Reply) {
  const perRequest = new Set(['x-request-id', 'date']);
  return { status, body, headers: [...headers].filter(([name]) => !perRequest.has(name)) };
}

test.run();
