// Reads that very many devices repeat every other second. All waiting requests are authenticated and resolved in one
// transaction. The order of checks is that of every route, and nothing is cached from earlier requests.
import type { Clock } from '../platform/clock.ts';
import { type Db, inReadOnlyContext, type Trx } from '../platform/db.ts';
import { AppError } from '../platform/errors.ts';
import { Batcher } from '../platform/pure/batcher.ts';
import type { Actor, BatchedScope, Claims, Route } from './route.ts';

/** Returns, for each of the claims, the caller or the reason why they may no longer call. */
export type AuthenticateAll = (
  trx: Trx,
  claims: readonly Claims[],
  now: Date,
) => Promise<readonly (Actor | AppError)[]>;

interface BatchDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly authenticateAll?: AuthenticateAll;
}

export interface BatchedRequest {
  readonly claims: Claims;
  /** NOT_FOUND for a malformed id; it is thrown only after the caller is authenticated. */
  readonly params: Readonly<Record<string, string>> | AppError;
}

export interface AdmittedCaller {
  readonly actor: Actor;
  readonly row: unknown;
}

export type Admit = (request: BatchedRequest) => Promise<AdmittedCaller>;

/** Each request waits some milliseconds longer, and a few transactions replace many. */
const limits = { intervalMs: 50, maxSize: 500, concurrency: 3 } as const;

/** Creates the admission of one route in this process. `Admit` throws the error that the caller is refused with. */
export function batchedAdmission(
  route: Route,
  scope: BatchedScope<unknown, unknown>,
  { db, clock, authenticateAll }: BatchDeps,
  requirePermission: (actor: Actor) => void,
): Admit {
  if (!authenticateAll) throw new Error(`nothing authenticates the callers of ${route.operation}`);
  const batcher = new Batcher<BatchedRequest, Outcome>(
    (requests) =>
      inReadOnlyContext(db, 'SUPER', async (trx) => {
        const claims = requests.map((request) => request.claims);
        const [callers, found] = await Promise.all([
          authenticateAll(trx, claims, clock.now()),
          scope.findAll(trx, requests.flatMap(lookupsOf)),
        ]);
        return outcomesOf(requests, callers, found);
      }),
    limits,
  );
  return async (request) => {
    const { caller, found } = await batcher.run(request);
    if (caller instanceof AppError) throw caller;
    requirePermission(caller);
    if (request.params instanceof AppError) throw request.params;
    return { actor: caller, row: scope.admit(caller, found) };
  };
}

interface Outcome {
  readonly caller: Actor | AppError;
  readonly found: unknown;
}

const lookupsOf = ({ claims: { userId, organizationId }, params }: BatchedRequest) =>
  params instanceof AppError ? [] : [{ userId, organizationId, params }];

function outcomesOf(
  requests: readonly BatchedRequest[],
  callers: readonly (Actor | AppError)[],
  found: readonly unknown[],
): Outcome[] {
  const left = [...found];
  return requests.map(({ params }, at) => {
    const caller = callers[at];
    if (!caller) throw new RangeError('not every caller was authenticated');
    return { caller, found: params instanceof AppError ? undefined : left.shift() };
  });
}
