// The demo organization can be looked at and not be changed: every `blocked` route refuses its administrator, and a SUPER
// admin who reaches into it.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Reply } from '../harness/fetch.ts';
import { useApp } from '../harness/http.ts';
import { buildWorld, type World } from '../harness/world.ts';
import { entryOf, refusesByItself } from './entries/index.ts';
import { type Caller, isInside, personaOf, refusedByPermission } from './operations/access.ts';
import { tabled } from './operations/table.ts';
import { targetOf } from './requests/targets.ts';
import { aimAt, Walker, walkedRoutes } from './requests/walker.ts';

const app = useApp(test);
let world: World;
let walker: Walker;

test.before(async () => {
  world = await buildWorld(app);
  walker = new Walker(app, world);
});

const demoCallers = ['ADMIN', 'PRINCIPAL', 'TEACHER', 'PARENT', 'STUDENT'] as const satisfies readonly Caller[];

for (const route of walkedRoutes()) {
  const operation = tabled(route.operation);
  const mayCall = (name: Caller) =>
    operation &&
    refusedByPermission(operation, name) === undefined &&
    isInside(operation, name) &&
    !refusesByItself(route.operation, name);
  const caller = demoCallers.find(mayCall);
  // Who comes back from a provider is known by a state, which no demo is given.
  const isNobodys = entryOf(route.operation).expect === 401;
  if (route.demo !== 'blocked' || !caller || isNobodys) continue;
  test(`${route.operation} by the demo's ${personaOf(caller)}: DEMO_READ_ONLY`, async () => {
    assertReadOnly(await walker.callAs(route, world.demo.people[caller], aimAt(demo())));
  });
  if (!entryOf(route.operation).slots?.includes('place') || !mayCall('SUPER')) continue;
  test(`${route.operation} by SUPER on the demo: DEMO_READ_ONLY`, async () => {
    assertReadOnly(await walker.callAs(route, world.superAdmin, aimAt(demo())));
  });
}

const demo = () => targetOf(app, world.demo);

function assertReadOnly({ status, body }: Reply): void {
  assert.is(status, 403, JSON.stringify(body));
  assert.is((body as { code: string }).code, 'DEMO_READ_ONLY');
}

test.run();
