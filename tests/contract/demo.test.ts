// The demo organization is read-only: every `blocked` route refuses its administrator, and a SUPER administrator who
// accesses it.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Reply } from '../harness/fetch.ts';
import { useApp } from '../harness/http.ts';
import { buildWorld, type World } from '../harness/world.ts';
import { entryOf, refusesByItself } from './entries/index.ts';
import { type Caller, isInside, personaOf, refusedByPermission } from './operations/access.ts';
import { tabled } from './operations/table.ts';
import { aimAt, RouteCaller, requestableRoutes } from './requests/route-caller.ts';
import { targetOf } from './requests/targets.ts';

const app = useApp(test);
let world: World;
let routeCaller: RouteCaller;

test.before(async () => {
  world = await buildWorld(app);
  routeCaller = new RouteCaller(app, world);
});

const demoCallers = ['ADMIN', 'PRINCIPAL', 'TEACHER', 'PARENT', 'STUDENT'] as const satisfies readonly Caller[];

for (const route of requestableRoutes()) {
  const operation = tabled(route.operation);
  const mayCall = (name: Caller) =>
    operation &&
    refusedByPermission(operation, name) === undefined &&
    isInside(operation, name) &&
    !refusesByItself(route.operation, name);
  const caller = demoCallers.find(mayCall);
  // A callback from a provider is identified by a state, and no demo user has one.
  const isCallback = entryOf(route.operation).expect === 401;
  if (route.demo !== 'blocked' || !caller || isCallback) continue;
  test(`${route.operation} by the demo's ${personaOf(caller)}: DEMO_READ_ONLY`, async () => {
    assertReadOnly(await routeCaller.callAs(route, world.demo.people[caller], aimAt(demo())));
  });
  if (!entryOf(route.operation).slots?.includes('tenant') || !mayCall('SUPER')) continue;
  test(`${route.operation} by SUPER on the demo: DEMO_READ_ONLY`, async () => {
    assertReadOnly(await routeCaller.callAs(route, world.superAdmin, aimAt(demo())));
  });
}

const demo = () => targetOf(app, world.demo);

function assertReadOnly({ status, body }: Reply): void {
  assert.is(status, 403, JSON.stringify(body));
  assert.is((body as { code: string }).code, 'DEMO_READ_ONLY');
}

test.run();
