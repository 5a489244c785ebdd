// timeout: 180s
// What a signed-in read costs: for every GET of the walk, how often the database is waited for around the handler, and
// that nothing is written; for the six reads that screens are made of, the whole.
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
import { type Targets, targetsOf, Walker, walkedRoutes } from './requests/walker.ts';

const service = useApp(test, {
  rules: true,
  settings: { RATE_LIMIT_USER_PER_MINUTE: '1000000', RATE_LIMIT_IP_PER_MINUTE: '1000000' },
});

/** At most, of everything: caller, scope, handler, end. */
const mostOfRead = 4;
const screens = [
  'getMe',
  'listClassStudents',
  'getSkillStatus',
  'getDomainStatus',
  'listRuleLayers',
  'getClassNextDataPlan',
];
/** Every export of a child's data leaves a row, in a transaction before it. */
const recorded = ['exportStudentData'];
/** Nothing is read before it is released, or built. */
const unreleased = ['getMinistryReport'];
/** What they tell comes after the answer, from one question for all of them. */
const streams = ['streamNotifications'];
const reads = walkedRoutes().filter(
  (one) =>
    one.readOnly &&
    one.allow !== 'public' &&
    !one.prepare &&
    !one.batched &&
    ![...recorded, ...unreleased, ...streams].includes(one.operation),
);
/** A session is found first, and then its student; a document first, and then what it is about. */
const scopesInSteps: Readonly<Record<string, number>> = {
  ...{ replayDiagnostic: 2, getEngineSession: 2 },
  ...{ getReportJob: 2, getReportJobFile: 2 },
};
/** A SUPER caller's transaction is narrowed to the organization of what was found, which may have to be asked. */
const narrowing = (caller: Caller) => (caller === 'SUPER' ? 2 : 0);
const signedIn = ['SUPER', 'ADMIN', 'MANAGER', 'PRINCIPAL', 'TEACHER', 'PARENT', 'STUDENT'] as const;
const writing = /^\s*(insert|update|delete|merge|truncate)\b|\bfor (no key )?(update|share)\b|\bnextval\b/i;
const recording = /^insert into audit_entry /;

/**
 * Limits are counted in memory; every tenth of a second at most the store hears of them, whoever has asked. A connection that
 * is opened meanwhile asks for the version of the server.
 */
const settling = /^insert into rate_limit as w |^select version\(\);$/;

let server: ListeningServer | undefined;
let walker: Walker;
let targets: Targets;
/** Of the newest request. */
const trips = countRoundTrips(test, service.database.appUrl, settling);
/** Round trips until its scope was asked, until its handler began and until that ended. */
let marks: number[] = [];

const mark = () => marks.push(trips.since().count);

/** The same route, which says when its scope and its handler begin and end. */
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
  walker = new Walker(app, world);
  targets = targetsOf(app, world);
});

test.after(async () => {
  await server?.close();
});

/** Of the second of two requests, so that nothing is loaded for the first time. */
async function costOf(route: Route, caller: Caller) {
  const first = await walker.call(route, caller, targets.everyOwn);
  // What a refusal leaves is written after it was answered.
  await service.services.securityEvents.settled();
  if (first.status !== 200) return undefined;
  const { status } = await walker.call(route, caller, targets.everyOwn);
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
      const said = `${caller}: ${JSON.stringify(cost)}`;
      // What a route gives out about people is put on record: its transaction may write, it names the writer and adds one entry.
      const recorded = route.discloses.length > 0 ? 1 : 0;
      assert.is(cost.caller, 1 + recorded, said);
      assert.ok(cost.scope <= (scopesInSteps[route.operation] ?? 1) + narrowing(caller) + recorded, said);
      const writes = cost.statements.filter((statement) => writing.test(statement));
      assert.ok(writes.length <= recorded && writes.every((statement) => recording.test(statement)), said);
      assert.is(cost.end, 1 + writes.length, said);
      if (screens.includes(route.operation)) assert.ok(cost.count <= mostOfRead + narrowing(caller), said);
    }
    assert.ok(answered > 0, 'nobody was answered');
  });
}

/** Caller and scope together, the end; then what all who ask share, for the first of them: that, and its end. */
const mostOfJoint = 5;

for (const route of walkedRoutes().filter(({ batched }) => batched)) {
  test(`${route.operation}: few round trips for the first who asks, and no write`, async () => {
    let answered = 0;
    for (const caller of signedIn) {
      const cost = await costOf(route, caller);
      if (!cost) continue;
      answered += 1;
      assert.ok(cost.count <= mostOfJoint, `${caller}: ${JSON.stringify(cost)}`);
      assert.not(cost.statements.some((statement) => writing.test(statement)));
    }
    assert.ok(answered > 0, 'nobody was answered');
  });
}

test.run();
