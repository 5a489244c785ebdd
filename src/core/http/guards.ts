// What stands around every route besides the order of checks: the general rate limit, repeated requests, and refusals
// whose writes must stay.
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
  /** What each person has under way in this process. */
  readonly concurrencyLimits: ConcurrencyLimits;
  /** Keyed hash of a client address, for stores that must not hold it. */
  readonly addressHash: (clientIp: string) => string;
  /** Encrypts the answers that are kept under an Idempotency-Key: some hold tokens. */
  readonly cipher: AnswerCipher;
  /** Answers kept since then may be given again. */
  readonly answersStoredSince: (trx: Trx, now: Date) => Promise<Date>;
  /** Names the writer of a transaction, for the record of changes. */
  readonly nameWriter: (trx: Trx, writer: Writer, now: Date) => Promise<void>;
  /** Records who has read which documents. The writer is named. */
  readonly recordReads: (trx: Trx, writer: Writer, documents: readonly Disclosure[], now: Date) => Promise<void>;
  /** Told of every refusal of a signed-in caller; never waited for. */
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

/** Thrown inside a request's transaction: what was written (a counted failure) is committed, then `refusal` answered. */
export class CommittedRefusal extends Error {
  readonly refusal: AppError;
  constructor(refusal: AppError) {
    super(refusal.message);
    this.refusal = refusal;
  }
}

/** Runs a transaction whose work may end in a KeptRefusal. */
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

/** A request of a caller whose token is genuine. */
interface Call extends Pick<Refused, 'caller' | 'clientIp' | 'now'> {
  readonly route: Route;
  /** Emits `close` when it is sent or the client is gone. */
  readonly response: EventEmitter;
}

/** Runs `work` when the caller's limits let it begin, else throws RATE_LIMITED. What it refuses is told of. */
export async function guarded<T>(guards: Guards | undefined, call: Call, work: () => Promise<T>): Promise<T> {
  if (!guards) return work();
  const { route, response, ...told } = call;
  const leave = await limitUser(guards, route, told.caller.userId, response);
  try {
    return await work();
  } catch (error) {
    guards.refused?.({ ...told, error, operation: route.operation });
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

/** Makes something, at once or later: sent twice under one key it makes one. */
export const creates = ({ method, answers }: Pick<Route, 'method' | 'answers'>): boolean =>
  method === 'post' && (201 in answers || 202 in answers);

/**
 * The key of a signed-in caller's request that creates something; undefined where none is sent or nothing is created.
 * Public routes take none: callers who are unknown could be given each other's answers.
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
  /** The same, shorter where the content is long. */
  readonly sameness: unknown;
  readonly now: Date;
}

/** `work` runs at most once a key; without a key it simply runs. */
export function runOnce(trx: Trx, request: Repeatable, work: () => Promise<Answer>): Promise<Answer> {
  const { route, guards, key, caller, content, sameness, now } = request;
  if (!guards || key === undefined) return work();
  const retention = { now, retainedSince: () => guards.answersStoredSince(trx, now) };
  return once(trx, guards.cipher, { caller, operation: route.operation, key, content, sameness }, retention, work);
}

/** Whether the same request was answered before, so that `runOnce` will give that answer again. */
export async function isAnswered(trx: Trx, { route, guards, key, caller, now }: Repeatable): Promise<boolean> {
  if (!guards || key === undefined) return false;
  return hasStoredAnswer(trx, { caller, operation: route.operation, key }, () => guards.answersStoredSince(trx, now));
}
