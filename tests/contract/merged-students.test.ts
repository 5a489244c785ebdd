// Every route that takes the id of a student, in path, query or body: with the id of an account that was merged into
// another one, reads answer for that other one, and writes are refused.
import type { TSchema } from 'typebox';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Route } from '#core/http/route.ts';
import { buildStudent } from '../harness/factories.ts';
import type { Reply } from '../harness/fetch.ts';
import { useApp } from '../harness/http.ts';
import { buildWorld, type Person, type World } from '../harness/world.ts';
import { entryOf } from './entries/index.ts';
import { type Caller, expectedStatus } from './operations/access.ts';
import { tabled } from './operations/table.ts';
import { pathOf, type Request } from './requests/entry.ts';
import { aimAt, requestableRoutes } from './requests/route-caller.ts';
import { targetOf } from './requests/targets.ts';

const app = useApp(test, {
  rules: true,
  settings: { RATE_LIMIT_USER_PER_MINUTE: '1000000', RATE_LIMIT_IP_PER_MINUTE: '1000000' },
});
let world: World;
let mergedId: number;

test.before(async () => {
  world = await buildWorld(app);
  mergedId = (await buildStudent(app.database.owner, world.own.classRow)).id;
  const body = { intoStudentId: survivorId(), reasonCode: 'duplicate_account' };
  const { status } = await app.post(`/api/students/${mergedId}/merge`, body, { token: world.own.people.ADMIN.token });
  assert.is(status, 201);
});

const survivorId = () => world.own.people.STUDENT.id;

/** `studentId`, `recipientStudentIds`, … A merge names two students, and the one in the path is enough here. */
const namesStudent = (property: string): boolean => /(^s|S)tudentIds?$/.test(property) && property !== 'intoStudentId';

/** The parameters of a path that are students, or people who may be. */
const studentParams = ({ path }: Route): string[] =>
  [...path.matchAll(/\/(?:students|users|children|pdf)\/:(\w+)/g)].flatMap(([, name = '']) => name);

/** Returns whether a schema has a property that names a student, at any depth. */
function hasStudent(schema: TSchema | undefined): boolean {
  const parts = (value: unknown): boolean => {
    if (Array.isArray(value)) return value.some(parts);
    if (typeof value !== 'object' || value === null) return false;
    const { properties } = value as { properties?: object };
    return Object.keys(properties ?? {}).some(namesStudent) || Object.values(value).some(parts);
  };
  return parts(schema);
}

const takesStudent = (route: Route): boolean =>
  studentParams(route).length > 0 || [route.params, route.query, route.body].some((schema) => hasStudent(schema));

/** Replaces the ids of students, at any depth. */
function withStudent(value: unknown, id: number): unknown {
  if (Array.isArray(value)) return value.map((one) => withStudent(one, id));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => {
      if (!namesStudent(name)) return [name, withStudent(one, id)];
      return [name, Array.isArray(one) ? [id] : id];
    }),
  );
}

function about(route: Route, request: Request, id: number): Request {
  const { params = {}, query, body, ...rest } = request;
  const named = Object.fromEntries(studentParams(route).map((name) => [name, id]));
  return {
    ...rest,
    params: { ...(withStudent(params, id) as object), ...named },
    ...(query && { query: withStudent(query, id) as NonNullable<Request['query']> }),
    ...(body !== undefined && { body: withStudent(body, id) }),
  };
}

/** Requests of routes whose entry makes one without a student. */
const others: Readonly<Record<string, () => Promise<Request> | Request>> = {
  createUser: () => ({
    body: {
      ...{ primaryPersona: 'PARENT', fullNameAr: 'ولي أمر', organizationId: world.own.organizationId },
      ...{ email: 'parent.of.merged@example.org', password: 'a long enough secret', studentIds: [mergedId] },
    },
  }),
  assembleDecisionPacket: () => ({ body: { studentId: mergedId, reviewType: 'tier_escalation' } }),
  rollOverSchool: async () => ({
    params: { id: await targetOf(app, world.own).fresh.schoolOfLastYear() },
    body: { fromYear: '2024-2025', repeatStudentIds: [mergedId] },
  }),
  listCbmAlerts: () => ({ query: { studentId: mergedId } }),
  editSession: async () => ({
    params: { id: await targetOf(app, world.own).fresh.session('distributed') },
    body: { delivery: { deliveredOn: '2026-01-31', presentStudentIds: [mergedId] } },
  }),
};

/** Callers that do not follow from the table. */
const ownCallers: Readonly<Record<string, 'TEACHER'>> = { bulkActivateCluster: 'TEACHER' };
const callers: readonly Caller[] = ['ADMIN', 'TEACHER', 'PARENT', 'STUDENT', 'SUPER'];

function callerOf(route: Route): Person {
  const operation = tabled(route.operation);
  const { expect } = entryOf(route.operation);
  const isIn = (caller: Caller) => {
    const own = typeof expect === 'object' ? expect[caller] : undefined;
    return operation !== undefined && (own ?? expectedStatus(operation, caller)) < 400;
  };
  const caller = ownCallers[route.operation] ?? callers.find(isIn);
  if (!caller) throw new Error(`no caller may use ${route.operation}`);
  return caller === 'SUPER' ? world.superAdmin : world.own.people[caller as 'ADMIN'];
}

async function call(route: Route, id: number): Promise<Reply> {
  const caller = callerOf(route);
  const made =
    others[route.operation]?.() ??
    entryOf(route.operation).request?.({ at: aimAt(targetOf(app, world.own)), app, caller });
  const request = about(route, (await made) ?? {}, id);
  return app.request(route.method.toUpperCase(), pathOf(route, request), {
    token: caller.token,
    ...(request.body !== undefined && { body: request.body }),
    ...(request.headers && { headers: request.headers }),
  });
}

/** Reads that are recorded, so that the second answer has one row more. */
const recordsReads: ReadonlySet<string> = new Set(['exportStudentData']);
const idIn = (body: unknown) => (body as { studentId?: number }).studentId;

/** The account itself is what administrators read here. */
const readsTheAccount: ReadonlySet<string> = new Set(['getUser']);

for (const route of requestableRoutes().filter(takesStudent)) {
  if (route.allow === 'public') continue;
  if (readsTheAccount.has(route.operation)) continue;
  if (route.readOnly) {
    test(`${route.operation}: answers for the student who has the evidence`, async () => {
      const [own, merged] = [await call(route, survivorId()), await call(route, mergedId)];
      assert.is(merged.status, own.status, JSON.stringify(merged.body));
      assert.ok(own.status < 300, `${own.status} ${JSON.stringify(own.body)}`);
      if (recordsReads.has(route.operation)) assert.is(idIn(merged.body), survivorId());
      else assert.equal(merged.body, own.body);
    });
  } else {
    test(`${route.operation}: is refused about a merged account`, async () => {
      const { status, body } = await call(route, mergedId);
      const issues = ((body as { details?: { issue: string }[] }).details ?? []).map(({ issue }) => issue);
      assert.equal([status, issues], [409, ['merged']], JSON.stringify(body));
    });
  }
}

test.run();
