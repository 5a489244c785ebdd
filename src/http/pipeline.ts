// The order of checks, the same for every route: token, permission, resource, reach, demo, validation, state.
import type { IncomingMessage } from 'node:http';
import type { Logger } from 'pino';
import type { Clock } from '../platform/clock.ts';
import { type Db, enterContext, type TenantContext, type Trx } from '../platform/db.ts';
import { AppError, denied, notFound } from '../platform/errors.ts';
import { parseJsonBody, type RawBody } from './body.ts';
import { type Guards, inTurn, keepingRefusals, limitAddress, limitUser, repeatKey, runOnce } from './guards.ts';
import type { Actor, Allow, Answer, Route, Scoped } from './route.ts';
import { type Check, checkJson, checkText, refuseInvalid } from './validation.ts';

/** A token that is genuine; whether its session still lives is asked inside the transaction. */
export interface Claims {
  readonly userId: number;
  readonly sessionId: string;
  readonly organizationId: string | null;
}

export interface PipelineDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly services: object;
  /** Throws TOKEN_MISSING, TOKEN_INVALID or TOKEN_EXPIRED. */
  readonly verifyToken: (authorization: string | undefined, now: Date) => Promise<Claims>;
  /** Throws SESSION_REVOKED when the session was revoked or its user may no longer sign in. */
  readonly liveActor: (trx: Trx, claims: Claims, now: Date) => Promise<Actor>;
  /** Absent: no limits, no repeats, no record of changes. */
  readonly guards?: Guards;
}

export interface Incoming {
  readonly message: IncomingMessage;
  readonly raw: RawBody;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly requestId: string;
  readonly clientIp: string;
  readonly log: Logger;
  /** Told who calls, as soon as the token is known to be genuine. */
  readonly callerKnown: (claims: Claims) => void;
}

export type Handler = (incoming: Incoming) => Promise<Answer>;

/** Compiles one route's schemas and returns the function that answers its requests. Errors are thrown, not answered. */
export function handlerOf(route: Route, deps: PipelineDeps): Handler {
  const checks = compileChecks(route);
  const answerChecks = answerChecksOf(route);
  return async (incoming) => {
    const now = deps.clock.now();
    const answer =
      route.allow === 'public'
        ? await runPublic(route, checks, deps, incoming, now)
        : await runSignedIn(route, checks, deps, incoming, now, answerChecks);
    if (route.allow === 'public') assertAnswer(route, answer, answerChecks);
    return answer;
  };
}

const withoutBody = 204;

function answerChecksOf(route: Route): Map<number, Check> {
  return new Map(
    Object.entries(route.answers).map(([status, schema]) => [
      Number(status),
      Number(status) === withoutBody ? () => [] : checkJson(schema),
    ]),
  );
}

interface Checks {
  readonly params: Check;
  readonly query: Check;
  readonly body: Check;
}

const nothing: Check = (value) => Object.keys(value as object).map((field) => ({ field, issue: 'is not accepted' }));

function compileChecks(route: Route): Checks {
  return {
    params: route.params ? checkText(route.params) : () => [],
    query: route.query ? checkText(route.query) : nothing,
    body: route.body ? checkJson(route.body) : nothing,
  };
}

async function runPublic(
  route: Route,
  checks: Checks,
  deps: PipelineDeps,
  incoming: Incoming,
  now: Date,
): Promise<Answer> {
  await limitAddress(route, deps.guards, incoming.clientIp);
  const params = pathParams(checks, incoming);
  const shared = common(deps, incoming, now);
  await route.admit?.({ ...shared, params } as never);
  const request = validated(route, checks, incoming);
  const work = () => route.run({ ...shared, params, ...request } as never);
  const key = repeatKey(route, shared.header('idempotency-key'));
  if (key === undefined || !deps.guards) return work();
  const caller = `address:${deps.guards.addressHash(incoming.clientIp)}`;
  const repeatable = { route, guards: deps.guards, key, caller, content: { params, ...request }, now };
  return inTurn(() => deps.db.transaction((trx) => runOnce(trx, repeatable, work)));
}

async function runSignedIn(
  route: Route,
  checks: Checks,
  deps: PipelineDeps,
  incoming: Incoming,
  now: Date,
  answerChecks: ReadonlyMap<number, Check>,
): Promise<Answer> {
  const claims = await deps.verifyToken(incoming.message.headers.authorization, now);
  incoming.callerKnown(claims);
  await limitUser(route, deps.guards, claims.userId);
  const answer = keepingRefusals<Answer>((settle) =>
    deps.db.transaction((trx) => settle(answerIn(trx, { route, checks, deps, incoming, now, answerChecks, claims })), {
      readOnly: route.readOnly,
    }),
  );
  return answer.catch((error: unknown) => {
    deps.guards?.refused?.({ error, operation: route.operation, caller: claims, clientIp: incoming.clientIp, now });
    throw error;
  });
}

interface SignedInWork {
  readonly route: Route;
  readonly checks: Checks;
  readonly deps: PipelineDeps;
  readonly incoming: Incoming;
  readonly now: Date;
  readonly answerChecks: ReadonlyMap<number, Check>;
  readonly claims: Claims;
}

async function answerIn(trx: Trx, work: SignedInWork): Promise<Answer> {
  const { route, checks, deps, incoming, now, claims } = work;
  const context: TenantContext = claims.organizationId === null ? 'SUPER' : { organizationId: claims.organizationId };
  await enterContext(trx, context);
  const actor = await deps.liveActor(trx, claims, now);
  requirePermission(route.allow, actor);
  const params = pathParams(checks, incoming);
  const scoped = await resolveScope(route, deps, { trx, actor, params, now });
  refuseDemo(route, actor, scoped);
  const request = validated(route, checks, incoming);
  if (actor.organizationId === null && scoped.organization) {
    await enterContext(trx, { organizationId: scoped.organization.id });
  }
  const { userId: actorUserId } = actor;
  const { requestId } = incoming;
  if (!route.readOnly) await deps.guards?.nameWriter(trx, { actorUserId, operation: route.operation, requestId }, now);
  const shared = common(deps, incoming, now);
  const key = repeatKey(route, shared.header('idempotency-key'));
  const caller = `user:${actorUserId}`;
  const repeatable = { route, guards: deps.guards, key, caller, content: { params, ...request }, now };
  const answer = await runOnce(trx, repeatable, () =>
    route.run({ ...shared, actor, trx, scope: scoped.row, params, ...request } as never),
  );
  assertAnswer(route, answer, work.answerChecks);
  return answer;
}

function common(deps: PipelineDeps, incoming: Incoming, now: Date) {
  const { requestId, clientIp, log, message } = incoming;
  return {
    services: deps.services,
    now,
    requestId,
    clientIp,
    log,
    header: (name: string) => message.headers[name]?.toString(),
  };
}

function requirePermission(allow: Allow<string>, actor: Actor): void {
  if (allow === 'public' || allow === 'signed in') return;
  const held = (permission: string) => actor.permissions.has(permission);
  const enough = 'allOf' in allow ? allow.allOf.every(held) : allow.some(held);
  if (!enough) throw denied();
}

/** A malformed id in the path is the same as an unknown one. */
function pathParams(checks: Checks, incoming: Incoming): Record<string, string> {
  const params = { ...incoming.params };
  if (checks.params(params).length > 0) throw notFound();
  return params;
}

type ScopeParts = { trx: Trx; actor: Actor; params: Record<string, string>; now: Date };

async function resolveScope(route: Route, deps: PipelineDeps, parts: ScopeParts): Promise<Scoped<unknown>> {
  if (!route.resolve) throw new Error(`route ${route.operation} has no scope`);
  return route.resolve({ services: deps.services as never, ...parts });
}

function refuseDemo(route: Route, actor: Actor, scoped: Scoped<unknown>): void {
  if (route.demo !== 'blocked') return;
  if (actor.isDemo || scoped.organization?.isDemo) throw demoReadOnly();
}

export const demoReadOnly = () =>
  new AppError('DEMO_READ_ONLY', 'The demo organization cannot be changed. Sign in to the sandbox to try this.');

function validated(route: Route, checks: Checks, incoming: Incoming): { query: unknown; body: unknown } {
  const query = queryValues(incoming.query);
  refuseInvalid(checks.query(query));
  if (route.method === 'get') return { query, body: {} };
  const body = parseJsonBody(incoming.message, incoming.raw);
  refuseInvalid(
    typeof body === 'object' && body !== null && !Array.isArray(body)
      ? checks.body(body)
      : [{ field: '', issue: 'must be an object' }],
  );
  return { query, body };
}

function queryValues(search: URLSearchParams): Record<string, string> {
  const values: Record<string, string> = {};
  for (const [name, value] of search) {
    if (Object.hasOwn(values, name)) refuseInvalid([{ field: name, issue: 'is given twice' }]);
    if (value.includes('\0')) refuseInvalid([{ field: name, issue: 'holds characters that are not text' }]);
    Object.defineProperty(values, name, { value, enumerable: true, writable: true, configurable: true });
  }
  return values;
}

/** A presenter that lets out a field its schema does not name is a defect: nothing is sent and the work rolls back. */
function assertAnswer(route: Route, answer: Answer, checks: ReadonlyMap<number, Check>): void {
  const check = checks.get(answer.status);
  if (!check) throw new Error(`${route.operation} answered ${answer.status}, which it does not declare`);
  if (answer.body instanceof Uint8Array || answer.body === undefined) return;
  const details = check(answer.body);
  if (details.length > 0) {
    throw new Error(
      `${route.operation} answered outside its schema: ${details.map((d) => `${d.field} ${d.issue}`).join('; ')}`,
    );
  }
}
