// The order of checks, the same for every route: token, permission, resource, reach, demo, validation, state. A body is read
// after its sender is known and before a transaction is opened.
import type { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { Logger } from 'pino';
import type { Clock } from '../platform/clock.ts';
import { type Db, enterContext, inContext, inReadOnlyContext, type Trx } from '../platform/db.ts';
import type { Answer } from './answers.ts';
import { type Admit, type AuthenticateAll, batchedAdmission } from './batched-reads.ts';
import { type AnswerCheck, answerCheckOf } from './checks/answer.ts';
import { type IncomingBody, parsedBody, type RawBody } from './checks/body.ts';
import { isWritten, recordDisclosures } from './checks/disclosures.ts';
import type { LargeBodies } from './checks/large-body.ts';
import { pathParams, pathParamsOrRefusal, type RequestChecks, requestChecksOf, validated } from './checks/request.ts';
import { committingRefusals, type Guards, isAnswered, limitAddress, repeatKey, runGuarded, runOnce } from './guards.ts';
import { refuseDemo, requirePermission } from './refusals.ts';
import type { Actor, Claims, Route, Scoped, ScopeRequest } from './route.ts';

export interface PipelineDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly services: object;
  /** Throws TOKEN_MISSING, TOKEN_INVALID or TOKEN_EXPIRED. */
  readonly verifyToken: (authorization: string | undefined, now: Date) => Promise<Claims>;
  /** Throws SESSION_REVOKED when the session was revoked or its user may no longer sign in. */
  readonly authenticate: (trx: Trx, claims: Claims, now: Date) => Promise<Actor>;
  /** Authenticates the callers of batched reads; absent where no route is batched. */
  readonly authenticateAll?: AuthenticateAll;
  readonly largeBodies: LargeBodies;
  /** Without guards there are no limits, no repeated requests and no record of changes. */
  readonly guards?: Guards;
}

export interface Incoming {
  readonly message: IncomingMessage;
  /** Emits `close` when it has been sent or the client has disconnected. */
  readonly response: EventEmitter;
  readonly body: IncomingBody;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly requestId: string;
  readonly clientIp: string;
  readonly log: Logger;
  /** Called with the claims as soon as the token has been verified. */
  readonly callerKnown: (claims: Claims) => void;
}

export type Handler = (incoming: Incoming) => Promise<Answer>;

/** The parts that all requests of a route share. */
interface Served {
  readonly route: Route;
  readonly deps: PipelineDeps;
  readonly checks: RequestChecks;
  readonly checkAnswer: AnswerCheck;
  /** Only batched reads have it. */
  readonly admit: Admit | undefined;
}

/** Compiles one route's schemas and returns the function that answers its requests. Errors are thrown, not answered. */
export function handlerOf(route: Route, deps: PipelineDeps): Handler {
  const admit =
    route.batched && batchedAdmission(route, route.batched, deps, (actor) => requirePermission(route.allow, actor));
  const served = { route, deps, checks: requestChecksOf(route), checkAnswer: answerCheckOf(route), admit };
  const run = route.allow === 'public' ? runPublic : runSignedIn;
  return (incoming) => run(served, incoming, deps.clock.now());
}

/** Answers of anonymous callers are not stored for repeated requests: two visitors at one address would share an answer. */
async function runPublic(served: Served, incoming: Incoming, now: Date): Promise<Answer> {
  const { route, deps, checks, checkAnswer } = served;
  await limitAddress(route, deps.guards, incoming.clientIp);
  compileChecks(served);
  const params = pathParams(checks, incoming.params);
  const shared = common(deps, incoming, now);
  await route.beforeValidation?.({ ...shared, params } as never);
  const request = validated(checks, { ...incoming, raw: await rawBody(route, incoming) });
  const checked = (answer: Answer): Answer => {
    checkAnswer(answer);
    return answer;
  };
  return checked(await route.run({ ...shared, params, ...request, checked } as never));
}

/** Returns undefined for GET. Public routes accept no large bodies. */
async function rawBody(route: Route, { body }: Incoming, readLarge = () => body.read()): Promise<RawBody | undefined> {
  if (route.method === 'get') return undefined;
  return body.mayBeLarge ? readLarge() : body.read();
}

async function runSignedIn(served: Served, incoming: Incoming, now: Date): Promise<Answer> {
  const { route, deps } = served;
  const claims = await deps.verifyToken(incoming.message.headers.authorization, now);
  incoming.callerKnown(claims);
  const call = { route, caller: claims, clientIp: incoming.clientIp, response: incoming.response, now };
  return runGuarded(deps.guards, call, () => answerTo(served, incoming, claims, now));
}

async function answerTo(served: Served, incoming: Incoming, claims: Claims, now: Date): Promise<Answer> {
  const { route, deps, admit } = served;
  if (admit) return batchedAnswer(served, admit, incoming, claims);
  const raw = await rawBody(route, incoming, async () => {
    // The permission is checked before many bytes are received.
    await inCallersContext(deps.db, claims, true, (trx) => permittedActor(trx, route, deps, claims, now));
    return deps.largeBodies.receive(route, incoming, claims.userId);
  });
  compileChecks(served);
  const work: SignedInWork = { ...served, incoming, now, claims, raw, prepared: undefined };
  if (!route.prepare) return inTransaction(work);
  const prepare = await inCallersContext(deps.db, claims, true, (trx) => preparationIn(trx, work));
  return inTransaction({ ...work, prepared: await prepare(), now: deps.clock.now() });
}

/** Answers a batched read. It has no transaction of its own: caller and resource were resolved together with those of others. */
async function batchedAnswer(served: Served, admit: Admit, incoming: Incoming, claims: Claims): Promise<Answer> {
  const { route, deps, checks, checkAnswer } = served;
  compileChecks(served);
  const { actor, row } = await admit({ claims, params: pathParamsOrRefusal(checks, incoming.params) });
  const request = validated(checks, { ...incoming, raw: undefined });
  const shared = common(deps, incoming, deps.clock.now());
  const context = { ...shared, actor, scope: row, params: incoming.params, ...request };
  const answer = await route.run(context as never);
  checkAnswer(answer);
  return answer;
}

/** Called before a transaction is opened: compiling the schema of one answer can take seconds on a busy machine. */
function compileChecks({ checks, checkAnswer }: Served): void {
  for (const check of [checks.params, checks.query, checks.body]) check.compile?.();
  checkAnswer.compile();
}

const inTransaction = (work: SignedInWork): Promise<Answer> =>
  committingRefusals<Answer>((settle) =>
    inCallersContext(work.deps.db, work.claims, !isWritten(work.route), (trx) => settle(answerIn(trx, work))),
  );

/** Uses the organization of the token as context; that the account belongs to it is checked in this transaction. */
function inCallersContext<T>(
  db: Db,
  { organizationId }: Claims,
  readOnly: boolean,
  work: (trx: Trx) => Promise<T>,
): Promise<T> {
  const context = organizationId === null ? 'SUPER' : { organizationId };
  return readOnly ? inReadOnlyContext(db, context, work) : inContext(db, context, work);
}

async function permittedActor(trx: Trx, route: Route, deps: PipelineDeps, claims: Claims, now: Date): Promise<Actor> {
  const actor = await deps.authenticate(trx, claims, now);
  requirePermission(route.allow, actor);
  return actor;
}

interface SignedInWork extends Served {
  readonly incoming: Incoming;
  readonly now: Date;
  readonly claims: Claims;
  readonly raw: RawBody | undefined;
  /** The result of the route's `prepare`. */
  readonly prepared: unknown;
}

/** Runs every check that precedes the handler. Returns the handler's context and what makes the request repeatable. */
async function admitted(trx: Trx, work: SignedInWork) {
  const { route, checks, deps, incoming, now, claims, raw } = work;
  const permitted = permittedActor(trx, route, deps, claims, now);
  route.prefetch?.({ services: deps.services as never, trx, now });
  const actor = await permitted;
  const params = pathParams(checks, incoming.params);
  const scoped = await resolveScope(route, deps, { trx, actor, params, now });
  refuseDemo(route, actor, scoped);
  if (actor.organizationId === null && scoped.organization) {
    await enterContext(trx, { organizationId: scoped.organization.id });
  }
  await inspectBody(trx, work, actor, scoped.row);
  const request = validated(checks, { ...incoming, raw });
  if (scoped.writeRefusal && !route.readOnly) throw scoped.writeRefusal;
  const shared = common(deps, incoming, now);
  const key = repeatKey(route, shared.header('idempotency-key'));
  const caller = `user:${actor.userId}`;
  const digest = raw && 'value' in raw.content ? raw.content.digest : undefined;
  const content = { params, ...request };
  const sameness = digest === undefined ? content : { params, query: request.query, body: { digest } };
  const repeatable = { route, guards: deps.guards, key, caller, content, sameness, now };
  return { context: { ...shared, actor, trx, scope: scoped.row, params, ...request }, repeatable };
}

/** Runs the route's own checks of the body before its schema is checked. */
async function inspectBody(trx: Trx, work: SignedInWork, actor: Actor, row: unknown): Promise<void> {
  const { route, deps, incoming, raw, now } = work;
  if (!route.beforeBodyValidation || raw === undefined) return;
  const body = parsedBody(incoming.message, raw, route.acceptsForm);
  await deps.guards?.nameWriter(trx, writerOf(work, actor), now);
  await route.beforeBodyValidation({ services: deps.services as never, trx, actor, scope: row as never, body, now });
}

const writerOf = ({ route, incoming }: SignedInWork, { userId }: Actor) => ({
  actorUserId: userId,
  operation: route.operation,
  requestId: incoming.requestId,
});

/**
 * Returns the route's preparation, which runs without a connection. The checks run before it and once more before the answer,
 * because data may have changed in between. A request that was answered before needs no preparation.
 */
async function preparationIn(trx: Trx, work: SignedInWork): Promise<() => Promise<unknown>> {
  const { context, repeatable } = await admitted(trx, work);
  if (await isAnswered(trx, repeatable)) return async () => undefined;
  return (await work.route.prepare?.(context as never)) ?? (async () => undefined);
}

async function answerIn(trx: Trx, work: SignedInWork): Promise<Answer> {
  const { route, deps, now, prepared } = work;
  const { context, repeatable } = await admitted(trx, work);
  if (isWritten(route)) await deps.guards?.nameWriter(trx, writerOf(work, context.actor), now);
  const answer = await runOnce(trx, repeatable, () => route.run({ ...context, prepared } as never));
  work.checkAnswer(answer);
  await recordDisclosures(trx, work, writerOf(work, context.actor), answer);
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

async function resolveScope(
  route: Route,
  deps: PipelineDeps,
  parts: Omit<ScopeRequest<never>, 'services'>,
): Promise<Scoped<unknown>> {
  if (!route.resolve) throw new Error(`route ${route.operation} has no scope`);
  return route.resolve({ services: deps.services as never, ...parts });
}
