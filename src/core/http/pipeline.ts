// The order of checks, the same for every route: token, permission, resource, reach, demo, validation, state. A body is
// read after its sender is known and before a transaction is opened.
import type { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { Logger } from 'pino';
import type { Clock } from '../platform/clock.ts';
import { type Db, enterContext, inContext, inReadOnlyContext, type Trx } from '../platform/db.ts';
import type { Answer } from './answers.ts';
import { type AnswerCheck, answerCheckOf } from './checks/answer.ts';
import { type IncomingBody, parsedBody, type RawBody } from './checks/body.ts';
import { isWritten, recordDisclosures } from './checks/disclosures.ts';
import type { LargeBodies } from './checks/large-body.ts';
import { pathParams, pathParamsOrRefusal, type RequestChecks, requestChecksOf, validated } from './checks/request.ts';
import { committingRefusals, type Guards, guarded, isAnswered, limitAddress, repeatKey, runOnce } from './guards.ts';
import { type Admit, type AuthenticateAll, jointAdmission } from './joint.ts';
import { refuseDemo, requirePermission } from './refusals.ts';
import type { Actor, Route, Scoped, ScopeRequest } from './route.ts';

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
  readonly authenticate: (trx: Trx, claims: Claims, now: Date) => Promise<Actor>;
  /** The same for the callers of a joint read. Absent: there are none. */
  readonly authenticateAll?: AuthenticateAll;
  readonly largeBodies: LargeBodies;
  /** Absent: no limits, no repeats, no record of changes. */
  readonly guards?: Guards;
}

export interface Incoming {
  readonly message: IncomingMessage;
  /** Emits `close` when it is sent or the client is gone. */
  readonly response: EventEmitter;
  readonly body: IncomingBody;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly requestId: string;
  readonly clientIp: string;
  readonly log: Logger;
  /** Told who calls, as soon as the token is known to be genuine. */
  readonly callerKnown: (claims: Claims) => void;
}

export type Handler = (incoming: Incoming) => Promise<Answer>;

/** What stays the same for all requests of a route. */
interface Served {
  readonly route: Route;
  readonly deps: PipelineDeps;
  readonly checks: RequestChecks;
  readonly checkAnswer: AnswerCheck;
  /** Of joint reads. */
  readonly admit: Admit | undefined;
}

/** Compiles one route's schemas and returns the function that answers its requests. Errors are thrown, not answered. */
export function handlerOf(route: Route, deps: PipelineDeps): Handler {
  const admit =
    route.joint && jointAdmission(route, route.joint, deps, (actor) => requirePermission(route.allow, actor));
  const served = { route, deps, checks: requestChecksOf(route), checkAnswer: answerCheckOf(route), admit };
  const run = route.allow === 'public' ? runPublic : runSignedIn;
  return (incoming) => run(served, incoming, deps.clock.now());
}

/** Nothing is kept for a repeated request of somebody unknown: two visitors at one address would share an answer. */
async function runPublic(served: Served, incoming: Incoming, now: Date): Promise<Answer> {
  const { route, deps, checks, checkAnswer } = served;
  await limitAddress(route, deps.guards, incoming.clientIp);
  compileChecks(served);
  const params = pathParams(checks, incoming.params);
  const shared = common(deps, incoming, now);
  await route.admit?.({ ...shared, params } as never);
  const request = validated(checks, { ...incoming, raw: await rawBody(route, incoming) });
  const checked = (answer: Answer): Answer => {
    checkAnswer(answer);
    return answer;
  };
  return checked(await route.run({ ...shared, params, ...request, checked } as never));
}

/** Public routes take no large bodies. */
async function rawBody(route: Route, { body }: Incoming, readLarge = () => body.read()): Promise<RawBody | undefined> {
  if (route.method === 'get') return undefined;
  return body.mayBeLarge ? readLarge() : body.read();
}

async function runSignedIn(served: Served, incoming: Incoming, now: Date): Promise<Answer> {
  const { route, deps } = served;
  const claims = await deps.verifyToken(incoming.message.headers.authorization, now);
  incoming.callerKnown(claims);
  const call = { route, caller: claims, clientIp: incoming.clientIp, response: incoming.response, now };
  return guarded(deps.guards, call, () => answerTo(served, incoming, claims, now));
}

async function answerTo(served: Served, incoming: Incoming, claims: Claims, now: Date): Promise<Answer> {
  const { route, deps, admit } = served;
  if (admit) return jointAnswer(served, admit, incoming, claims);
  const raw = await rawBody(route, incoming, async () => {
    // Before many bytes are taken from somebody who may not send any.
    await inCallersContext(deps.db, claims, true, (trx) => permittedActor(trx, route, deps, claims, now));
    return deps.largeBodies.receive(route, incoming, claims.userId);
  });
  compileChecks(served);
  const work: SignedInWork = { ...served, incoming, now, claims, raw, prepared: undefined };
  if (!route.prepare) return inTransaction(work);
  const prepare = await inCallersContext(deps.db, claims, true, (trx) => preparationIn(trx, work));
  return inTransaction({ ...work, prepared: await prepare(), now: deps.clock.now() });
}

/** Without a transaction of its own: caller and resource were looked at together with others'. */
async function jointAnswer(served: Served, admit: Admit, incoming: Incoming, claims: Claims): Promise<Answer> {
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

/** Before a transaction is opened: the schema of one answer takes seconds where the machine is busy. */
function compileChecks({ checks, checkAnswer }: Served): void {
  for (const check of [checks.params, checks.query, checks.body]) check.compile?.();
  checkAnswer.compile();
}

const inTransaction = (work: SignedInWork): Promise<Answer> =>
  committingRefusals<Answer>((settle) =>
    inCallersContext(work.deps.db, work.claims, !isWritten(work.route), (trx) => settle(answerIn(trx, work))),
  );

/** The context comes from the token; that the account is of it too is asked in it. */
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
  /** What the route's `prepare` has worked out. */
  readonly prepared: unknown;
}

/** Every check up to the state, and what they let through. */
async function admitted(trx: Trx, work: SignedInWork) {
  const { route, checks, deps, incoming, now, claims, raw } = work;
  const permitted = permittedActor(trx, route, deps, claims, now);
  route.ahead?.({ services: deps.services as never, trx, now });
  const actor = await permitted;
  const params = pathParams(checks, incoming.params);
  const scoped = await resolveScope(route, deps, { trx, actor, params, now });
  refuseDemo(route, actor, scoped);
  if (actor.organizationId === null && scoped.organization) {
    await enterContext(trx, { organizationId: scoped.organization.id });
  }
  await inspected(trx, work, actor, scoped.row);
  const request = validated(checks, { ...incoming, raw });
  const shared = common(deps, incoming, now);
  const key = repeatKey(route, shared.header('idempotency-key'));
  const caller = `user:${actor.userId}`;
  const digest = raw && 'value' in raw.content ? raw.content.digest : undefined;
  const content = { params, ...request };
  const sameness = digest === undefined ? content : { params, query: request.query, body: { digest } };
  const repeatable = { route, guards: deps.guards, key, caller, content, sameness, now };
  return { context: { ...shared, actor, trx, scope: scoped.row, params, ...request }, repeatable };
}

/** What the route itself finds in the body, whatever else is wrong with it. */
async function inspected(trx: Trx, work: SignedInWork, actor: Actor, row: unknown): Promise<void> {
  const { route, deps, incoming, raw, now } = work;
  if (!route.inspect || raw === undefined) return;
  const body = parsedBody(incoming.message, raw, route.acceptsForm);
  await deps.guards?.nameWriter(trx, writerOf(work, actor), now);
  await route.inspect({ services: deps.services as never, trx, actor, scope: row as never, body, now });
}

const writerOf = ({ route, incoming }: SignedInWork, { userId }: Actor) => ({
  actorUserId: userId,
  operation: route.operation,
  requestId: incoming.requestId,
});

/**
 * What a route works out beforehand, with no connection held. The checks are made for it, and once more for the answer:
 * the world may have moved meanwhile. A request that was answered before needs no preparation.
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

type Asked = Omit<ScopeRequest<never>, 'services'>;

async function resolveScope(route: Route, deps: PipelineDeps, parts: Asked): Promise<Scoped<unknown>> {
  if (!route.resolve) throw new Error(`route ${route.operation} has no scope`);
  return route.resolve({ services: deps.services as never, ...parts });
}
