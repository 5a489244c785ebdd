// timeout: 600s
// Malformed requests on every route: always a refusal in the error envelope, never a 500, and no internals in the
// response. FUZZ_SEED repeats a run.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Route } from '#core/http/route.ts';
import { errorStatus } from '#core/platform/errors.ts';
import type { Reply } from '../harness/fetch.ts';
import { useApp } from '../harness/http.ts';
import { buildWorld, type Person, type World } from '../harness/world.ts';
import { entryOf } from './entries/index.ts';
import { personas, refusedByPermission } from './operations/access.ts';
import { tabled } from './operations/table.ts';
import type { Request } from './requests/entry.ts';
import { type LongText, longTexts } from './requests/long-texts.ts';
import { type Malformed, malformed } from './requests/malformed.ts';
import { seededRandom } from './requests/random.ts';
import { refusalOf } from './requests/refusals.ts';
import { aimAt, requestableRoutes } from './requests/route-caller.ts';
import { targetOf } from './requests/targets.ts';

const requestsPerRoute = 500;
const batch = 10;
const seed = Number(process.env.FUZZ_SEED ?? 20_260_115);

const app = useApp(test, { settings: { RATE_LIMIT_USER_PER_MINUTE: '1000000', RATE_LIMIT_IP_PER_MINUTE: '1000000' } });
let world: World;

test.before(async () => {
  world = await buildWorld(app);
});

for (const [index, route] of requestableRoutes().entries()) {
  test(`${route.operation}: ${requestsPerRoute} malformed requests are refused`, async () => {
    const caller = callerFor(route);
    const request = await soundRequest(route, caller);
    const sound = request.headers ?? {};
    const random = seededRandom(seed + index);
    const drawn = distinct(Array.from({ length: requestsPerRoute }, () => malformed(route, request, random)));
    const requests = oneOfAKind(route, drawn);
    for (let from = 0; from < requests.length; from += batch) {
      await Promise.all(requests.slice(from, from + batch).map((broken) => tryOne(route, caller, sound, broken)));
    }
  });
}

/** Processor time of client and service together. The pattern that once blocked the service took half a minute. */
const longTextLimitMs = 2_000;

for (const route of requestableRoutes().filter(({ body, query }) => body || query)) {
  test(`${route.operation}: a long text in any of its fields is refused quickly`, async () => {
    const caller = callerFor(route);
    const request = await soundRequest(route, caller);
    for (const long of longTexts(route, request)) await tryLongText(route, caller, request.headers ?? {}, long);
  });
}

async function tryLongText(
  route: Route,
  caller: Person | undefined,
  sound: Readonly<Record<string, string>>,
  long: LongText,
): Promise<void> {
  const before = process.cpuUsage();
  if (long.bounded) await tryOne(route, caller, sound, long);
  else assert.ok((await send(route, caller, sound, long)).status < 500, `${route.operation}: ${long.what}`);
  const { user, system } = process.cpuUsage(before);
  const ms = (user + system) / 1_000;
  assert.ok(ms < longTextLimitMs, `${route.operation}: ${long.what}: ${ms.toFixed(0)} ms`);
}

/** A request that can be broken in few ways is drawn repeatedly; sending the same bytes twice shows nothing new. */
function distinct(requests: readonly Malformed[]): readonly Malformed[] {
  const bytesOf = ({ bytes }: Malformed) =>
    typeof bytes === 'string' ? bytes : Buffer.from(bytes ?? []).toString('latin1');
  const keyOf = (one: Malformed) => `${JSON.stringify([one.path, one.headers, typeof one.bytes])}${bytesOf(one)}`;
  return [...new Map(requests.map((one) => [keyOf(one), one])).values()];
}

/**
 * Of the requests that the route's checks refuse, selects one of each kind. The refusals of the others are checked
 * here.
 */
function oneOfAKind(route: Route, requests: readonly Malformed[]): readonly Malformed[] {
  const kinds = new Set<string>();
  return requests.filter((one) => {
    const refusal = refusalOf(route, one);
    if (refusal === undefined) return true;
    if (!kinds.has(refusal.kind)) return kinds.add(refusal.kind);
    assertEnvelope(refusal, aboutOf(route, one), route, undefined);
    return false;
  });
}

const aboutOf = (route: Route, { path, what }: Malformed) =>
  `seed ${seed}: ${route.method} ${path.slice(0, 200)} (${what})`;

/** `sound`: headers of the request before it was broken. */
async function tryOne(
  route: Route,
  caller: Person | undefined,
  sound: Readonly<Record<string, string>>,
  broken: Malformed,
): Promise<void> {
  const about = aboutOf(route, broken);
  const reply = await send(route, caller, sound, broken);
  assertEnvelope(reply, about, route, entryOf(route.operation).expect);
  assert.ok(reply.headers.has('x-request-id'), about);
}

function send(
  route: Route,
  caller: Person | undefined,
  sound: Readonly<Record<string, string>>,
  { path, bytes, headers }: Malformed,
): Promise<Reply> {
  return app.request(route.method.toUpperCase(), path, {
    ...(caller && { token: caller.token }),
    ...(bytes !== undefined && { bytes }),
    headers: { ...sound, ...headers },
  });
}

/** Asserts the envelope, the status of its code, and that it contains no SQL, files or stacks. */
function assertEnvelope(
  { status, body }: Pick<Reply, 'status' | 'body'>,
  about: string,
  { bodyFaultStatus }: Route,
  expect: unknown,
): void {
  const answer = `${about}: ${status} ${JSON.stringify(body)}`;
  // A part of the service that is not configured responds 503 to every request.
  assert.ok((status >= 400 && status < 500) || status === expect, answer);
  const { code, message, details, retryAfter, ...others } = body as Record<string, unknown>;
  assert.equal(others, {}, answer);
  const own = code === 'VALIDATION_ERROR' ? bodyFaultStatus : undefined;
  assert.ok([errorStatus[code as keyof typeof errorStatus], own].includes(status as never), answer);
  assert.type(message, 'string', answer);
  assert.ok(details === undefined || Array.isArray(details), answer);
  assert.ok(retryAfter === undefined || Number.isInteger(retryAfter), answer);
  assert.not.match(JSON.stringify(body), insides, answer);
}

const insides =
  /\b(select|insert into|update .* set|relation|violates|syntax error|postgres|knex|objection|node_modules)\b|\/work\/|\.ts:\d|\bat \w+ \(/i;

/** Returns the caller whose request passes the most checks. */
function callerFor(route: Route): Person | undefined {
  const operation = tabled(route.operation);
  const name = operation && personas.find((persona) => refusedByPermission(operation, persona) === undefined);
  if (!name) throw new Error(`no caller may call ${route.operation}`);
  if (route.allow === 'public' || name === 'nobody') return undefined;
  return name === 'SUPER' ? world.superAdmin : world.own.people[name];
}

async function soundRequest(route: Route, caller: Person | undefined): Promise<Request> {
  const at = aimAt(targetOf(app, world.own));
  return (await entryOf(route.operation).request?.({ at, app, caller })) ?? {};
}

test.run();
