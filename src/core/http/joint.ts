// Reads that very many devices repeat every other second. All who wait are looked at in one transaction: who they are, and
// what they may see. The order of checks is that of every route, and nothing is remembered of an earlier request.
import type { Clock } from '../platform/clock.ts';
import { type Db, inReadOnlyContext, type Trx } from '../platform/db.ts';
import { AppError } from '../platform/errors.ts';
import { Batcher } from '../platform/pure/batcher.ts';
import type { Claims } from './pipeline.ts';
import type { Actor, JointScope, Route } from './route.ts';

/** A caller for each of the claims, or why it is none any more. */
export type AuthenticateAll = (
  trx: Trx,
  claims: readonly Claims[],
  now: Date,
) => Promise<readonly (Actor | AppError)[]>;

interface JointDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly authenticateAll?: AuthenticateAll;
}

export interface JointQuestion {
  readonly claims: Claims;
  /** NOT_FOUND, once it is known who asks: a malformed id. */
  readonly params: Readonly<Record<string, string>> | AppError;
}

export interface JointlyAdmitted {
  readonly actor: Actor;
  readonly row: unknown;
}

export type Admit = (question: JointQuestion) => Promise<JointlyAdmitted>;

/** Some milliseconds more for each, and a few transactions in place of many. */
const limits = { intervalMs: 50, maxSize: 500, concurrency: 3 } as const;

/** One a route and process. Throws what the caller is refused with. */
export function jointAdmission(
  route: Route,
  scope: JointScope<unknown, unknown>,
  { db, clock, authenticateAll }: JointDeps,
  requirePermission: (actor: Actor) => void,
): Admit {
  if (!authenticateAll) throw new Error(`nobody can say who calls ${route.operation}`);
  const batcher = new Batcher<JointQuestion, Outcome>(
    (questions) =>
      inReadOnlyContext(db, 'SUPER', async (trx) => {
        const claims = questions.map((question) => question.claims);
        const [callers, found] = await Promise.all([
          authenticateAll(trx, claims, clock.now()),
          scope.findAll(trx, questions.flatMap(placeOf)),
        ]);
        return outcomesOf(questions, callers, found);
      }),
    limits,
  );
  return async (question) => {
    const { caller, found } = await batcher.run(question);
    if (caller instanceof AppError) throw caller;
    requirePermission(caller);
    if (question.params instanceof AppError) throw question.params;
    return { actor: caller, row: scope.admit(caller, found) };
  };
}

interface Outcome {
  readonly caller: Actor | AppError;
  readonly found: unknown;
}

const placeOf = ({ claims: { userId, organizationId }, params }: JointQuestion) =>
  params instanceof AppError ? [] : [{ userId, organizationId, params }];

function outcomesOf(
  questions: readonly JointQuestion[],
  callers: readonly (Actor | AppError)[],
  found: readonly unknown[],
): Outcome[] {
  const left = [...found];
  return questions.map(({ params }, at) => {
    const caller = callers[at];
    if (!caller) throw new RangeError('not every caller was looked at');
    return { caller, found: params instanceof AppError ? undefined : left.shift() };
  });
}
