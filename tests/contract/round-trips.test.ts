// timeout: 180s
// The cost of signed-in reads: for every GET, the number of round trips around the handler and that nothing is written.
// For six reads of the main screens, the number of all round trips.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { allRoutes, routerDeps } from '#app/app.ts';
import type { Route } from '#core/http/route.ts';
import { buildRouter } from '#core/http/server/router.ts';
import { createLogger } from '#core/platform/process/logger.ts';
import { httpClient } from '../harness/fetch.ts';
import { type TestApp, useApp } from '../harness/http.ts';
import { type ListeningServer, listen } from '../harness/server.ts';
import { countRoundTrips } from '../harness/statements/round-trips.ts';
import { buildWorld } from '../harness/world.ts';
import type { Caller } from './operations/access.ts';
import { RouteCaller, requestableRoutes, type Targets, targetsOf } from './requests/route-caller.ts';

const service = useApp(test, {
  rules: true,
  settings: { RATE_LIMIT_USER_PER_MINUTE: '1000000', RATE_LIMIT_IP_PER_MINUTE: '1000000' },
});

/** Maximum of all round trips: caller, scope, handler, end. */
const mostOfRead = 4;
const screens = [
  'getMe',
  'listClassStudents',
  'getSkillStatus',
  'getDomainStatus',
  'listRuleLayers',
  'getClassNextDataPlan',
];
/** Every export of a student's data writes a row, in a transaction before it. */
const recorded = ['exportStudentData'];
/** Nothing is read, because the operation is not released. */
const unreleased = ['getMinistryReport'];
/** Their content follows the response, read once for all streams. */
const streams = ['streamNotifications'];
const reads = requestableRoutes().filter(
  (one) =>
    one.readOnly &&
    one.allow !== 'public' &&
    !one.prepare &&
    !one.batched &&
    ![...recorded, ...unreleased, ...streams].includes(one.operation),
);
/** A session is found first, then its student; a document first, then its subject. */
const scopesInSteps: Readonly<Record<string, number>> = {
  ...{ replayDiagnostic: 2, getEngineSession: 2 },
  ...{ getReportJob: 2, getReportJobFile: 2 },
};
/** The transaction of a SUPER caller is narrowed to the organization of the row, which may have to be read. */
const narrowing = (caller: Caller) => (caller === 'SUPER' ? 2 : 0);
const signedIn = ['SUPER', 'ADMIN', 'MANAGER', 'PRINCIPAL', 'TEACHER', 'PARENT', 'STUDENT'] as const;
const writing = /^\s*(insert|update|delete|merge|truncate)\b|\bfor (no key )?(update|share)\b|\bnextval\b/i;
const recording = /^insert into audit_entry /;

/**
 * Limits are counted in memory and stored at most every tenth of a second, independent of the request. A connection
 * that is opened meanwhile asks for the version of the server.
 */
const settling = /^insert into rate_limit as w |^select version\(\);$/;

let server: ListeningServer | undefined;
let routeCaller: RouteCaller;
let targets: Targets;
/** Counts the newest request. */
const trips = countRoundTrips(test, service.database.appUrl, settling);
/** Round trips before the scope, before the handler, and before its end. */
let marks: number[] = [];

const mark = () => marks.push(trips.since().count);

/** Wraps the route so that it marks the beginning and end of its scope and handler. */
function watched(route: Route): Route {
  const { resolve, run } = route;
  if (!resolve) return route;
  return {
    ...route,
    resolve: (request) => {
      mark();
      return resolve(request);
    },
    run: async (context) => {
      mark();
      return run(context).finally(mark);
    },
  };
}

test.before(async () => {
  const router = buildRouter(allRoutes().map(watched), routerDeps(service.services, createLogger('silent')));
  server = await listen((request, response) => {
    trips.restart();
    marks = [];
    router(request, response);
  });
  const app: TestApp = { ...service, ...httpClient(() => server?.url ?? '') };
  const world = await buildWorld(app);
  routeCaller = new RouteCaller(app, world);
  targets = targetsOf(app, world);
});

test.after(async () => {
  await server?.close();
});

/** Measures the second of two requests, so that nothing is loaded for the first time. */
async function costOf(route: Route, caller: Caller) {
  const first = await routeCaller.call(route, caller, targets.everyOwn);
  // Events of a refusal are written after its response.
  await service.services.securityEvents.settled();
  if (first.status !== 200) return undefined;
  const { status } = await routeCaller.call(route, caller, targets.everyOwn);
  const [scopeAt = 0, runAt = 0, endAt = 0] = marks;
  const { count, statements } = trips.since();
  return {
    status,
    count,
    caller: scopeAt,
    scope: runAt - scopeAt,
    handler: endAt - runAt,
    end: count - endAt,
    statements,
  };
}

test('the six reads of the screens are among the routes', () => {
  const operations = reads.map(({ operation }) => operation);
  assert.equal(
    screens.filter((name) => !operations.includes(name)),
    [],
  );
});

for (const route of reads) {
  test(`${route.operation}: one round trip for the caller, one for the scope, one for the end, and no write`, async () => {
    let answered = 0;
    for (const caller of signedIn) {
      const cost = await costOf(route, caller);
      if (!cost) continue;
      answered += 1;
      assert.is(cost.status, 200);
      const message = `${caller}: ${JSON.stringify(cost)}`;
      // A route that returns documents about people adds one audit entry: its transaction may write and names the
      // writer.
      const recorded = route.discloses.length > 0 ? 1 : 0;
      assert.is(cost.caller, 1 + recorded, message);
      assert.ok(cost.scope <= (scopesInSteps[route.operation] ?? 1) + narrowing(caller) + recorded, message);
      const writes = cost.statements.filter((statement) => writing.test(statement));
      assert.ok(writes.length <= recorded && writes.every((statement) => recording.test(statement)), message);
      assert.is(cost.end, 1 + writes.length, message);
      if (screens.includes(route.operation)) assert.ok(cost.count <= mostOfRead + narrowing(caller), message);
    }
    assert.ok(answered > 0, 'no request succeeded');
  });
}

/** Caller and scope together, the end, and for the first caller the shared read with its end. */
const mostOfJoint = 5;

for (const route of requestableRoutes().filter(({ batched }) => batched)) {
  test(`${route.operation}: few round trips for the first caller, and no write`, async () => {
    let answered = 0;
    for (const caller of signedIn) {
      const cost = await costOf(route, caller);
      if (!cost) continue;
      answered += 1;
      assert.ok(cost.count <= mostOfJoint, `${caller}: ${JSON.stringify(cost)}`);
      assert.not(cost.statements.some((statement) => writing.test(statement)));
    }
    assert.ok(answered > 0, 'no request succeeded');
  });
}

test.run();
