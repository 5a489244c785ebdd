// What surrounds every route besides the order of checks: the general rate limit, repeated requests, and refusals whose writes
// are committed.
import type { EventEmitter } from 'node:events';
import type { Trx } from '../platform/db.ts';
import type { AppError } from '../platform/errors.ts';
import { type AnswerCipher, checkedKey, hasStoredAnswer, once } from '../platform/idempotency.ts';
import type { RequestLimits } from '../platform/limits/limits.ts';
import type { Answer, Disclosure } from './answers.ts';
import type { ConcurrencyLimits, Leave } from './checks/concurrency-limits.ts';
import type { Route } from './route.ts';
import { networkOf } from './server/client-address.ts';

export interface Guards {
  readonly limits: RequestLimits;
  /** Limits the requests that one person may have running in this process. */
  readonly concurrencyLimits: ConcurrencyLimits;
  /** Returns the keyed hash of a client address, for stores that must not hold the address. */
  readonly addressHash: (clientIp: string) => string;
  /** Encrypts the answers that are stored under an Idempotency-Key: some contain tokens. */
  readonly cipher: AnswerCipher;
  /** Returns the earliest moment whose stored answers may still be repeated. */
  readonly answersStoredSince: (trx: Trx, now: Date) => Promise<Date>;
  /** Names the writer of a transaction for the record of changes. */
  readonly nameWriter: (trx: Trx, writer: Writer, now: Date) => Promise<void>;
  /** Records that `writer` has read the documents. The caller has named the writer before. */
  readonly recordReads: (trx: Trx, writer: Writer, documents: readonly Disclosure[], now: Date) => Promise<void>;
  /** Called with every refusal of a signed-in caller; it is not awaited. */
  readonly refused?: (refusal: Refused) => void;
}

export interface Refused {
  readonly error: unknown;
  readonly operation: string;
  readonly caller: { readonly userId: number; readonly organizationId: string | null };
  readonly clientIp: string;
  readonly now: Date;
}

export interface Writer {
  readonly actorUserId: number;
  readonly operation: string;
  readonly requestId: string;
}

/** Thrown inside the transaction of a request: its writes (a counted failure) are committed, then `refusal` is answered. */
export class CommittedRefusal extends Error {
  readonly refusal: AppError;
  constructor(refusal: AppError) {
    super(refusal.message);
    this.refusal = refusal;
  }
}

/** Runs a transaction whose work may throw a CommittedRefusal. */
export async function committingRefusals<T>(
  transaction: (settle: Settle<T>) => Promise<T | CommittedRefusal>,
): Promise<T> {
  const outcome = await transaction((work) =>
    work.catch((error: unknown) => {
      if (error instanceof CommittedRefusal) return error;
      throw error;
    }),
  );
  if (outcome instanceof CommittedRefusal) throw outcome.refusal;
  return outcome;
}

type Settle<T> = (work: Promise<T>) => Promise<T | CommittedRefusal>;

/** A request of a caller whose token has been verified. */
interface Call extends Pick<Refused, 'caller' | 'clientIp' | 'now'> {
  readonly route: Route;
  /** Emits `close` when it has been sent or the client has disconnected. */
  readonly response: EventEmitter;
}

/** Runs `work` when the limits of the caller permit, else throws RATE_LIMITED. Reports every refusal to `guards.refused`. */
export async function runGuarded<T>(guards: Guards | undefined, call: Call, work: () => Promise<T>): Promise<T> {
  if (!guards) return work();
  const { route, response, ...reported } = call;
  const leave = await limitUser(guards, route, reported.caller.userId, response);
  try {
    return await work();
  } catch (error) {
    guards.refused?.({ ...reported, error, operation: route.operation });
    throw error;
  } finally {
    leave();
  }
}

async function limitUser(
  { limits, concurrencyLimits }: Guards,
  route: Route,
  userId: number,
  response: EventEmitter,
): Promise<Leave> {
  if (route.limit === 'none') return () => {};
  await limits.takeAsUser(userId, route.limit);
  return concurrencyLimits.enter(userId, route, response);
}

export async function limitAddress(route: Route, guards: Guards | undefined, clientIp: string): Promise<void> {
  if (route.limit === 'none' || route.charge === 'by the handler') return;
  await guards?.limits.takeAsAddress(guards.addressHash(clientIp), route.limit, route.charge);
  const network = route.charge === 'sign-in' ? networkOf(clientIp) : undefined;
  if (network !== undefined) await guards?.limits.takeAsNetwork(guards.addressHash(network), route.limit);
}

/** Whether the route creates something, at once or later; requests that repeat an Idempotency-Key create it once. */
export const creates = ({ method, answers }: Pick<Route, 'method' | 'answers'>): boolean =>
  method === 'post' && (201 in answers || 202 in answers);

/**
 * Returns the Idempotency-Key of a signed-in caller's request, or undefined if none is sent or nothing is created. Public routes
 * accept none: anonymous callers could receive each other's answers.
 */
export function repeatKey(route: Route, header: string | undefined): string | undefined {
  return creates(route) && header !== undefined ? checkedKey(header) : undefined;
}

export interface Repeatable {
  readonly route: Route;
  readonly guards: Guards | undefined;
  readonly key: string | undefined;
  readonly caller: string;
  /** Path, query and body. */
  readonly content: unknown;
  /** Equal for equal content, and shorter if the content is long. */
  readonly sameness: unknown;
  readonly now: Date;
}

/** Runs `work` at most once per key; without a key it simply runs. */
export function runOnce(trx: Trx, request: Repeatable, work: () => Promise<Answer>): Promise<Answer> {
  const { route, guards, key, caller, content, sameness, now } = request;
  if (!guards || key === undefined) return work();
  const retention = { now, retainedSince: () => guards.answersStoredSince(trx, now) };
  return once(trx, guards.cipher, { caller, operation: route.operation, key, content, sameness }, retention, work);
}

/** Returns whether the same request was answered before, so that `runOnce` will repeat that answer. */
export async function isAnswered(trx: Trx, { route, guards, key, caller, now }: Repeatable): Promise<boolean> {
  if (!guards || key === undefined) return false;
  return hasStoredAnswer(trx, { caller, operation: route.operation, key }, () => guards.answersStoredSince(trx, now));
}
