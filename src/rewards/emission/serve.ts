// Judges what is known of a student that may mean growth, once all recomputes that it asked for are done. What is judged is
// gone afterwards: what a halt has held back is not made up for later.
import { interventionRules } from '../../interventions/index.ts';
import type { Services } from '../../kernel/services.ts';
import { lockStudents } from '../../people/index.ts';
import { inContext, isDatabaseDown, type Trx } from '../../platform/db.ts';
import { AppError } from '../../platform/errors.ts';
import type { LedgerOf } from '../ledger/known.ts';
import { type Candidate, dueCandidates, forgetCandidates } from './candidates.ts';
import { noteFailure } from './failures.ts';
import { isHalted, isPending } from './halts.ts';
import { judgeCandidate } from './judge/judge.ts';
import type { Judging } from './judge/judging.ts';

/** One who fails holds up no other. The first failure is thrown when all have had their turn. */
export async function serveMastery(
  services: Services,
  organizationId: string,
  studentIds: readonly number[],
): Promise<void> {
  const failures: unknown[] = [];
  for (const studentId of studentIds) {
    await serveStudent(services, { organizationId, studentId }).catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw failures[0];
}

async function serveStudent(services: Services, of: LedgerOf): Promise<void> {
  await inContext(services.db, { organizationId: of.organizationId }, async (trx) => {
    if (!(await isLocked(trx, of))) return forgetAll(trx, of, services.clock.now());
    if (await isPending(trx, of)) return;
    const now = services.clock.now();
    const candidates = await dueCandidates(trx, of, now);
    if (candidates.length === 0) return;
    const { rules: bundle } = await services.rules.at(trx, now);
    const judging = { ...of, bundle, now, catalogue: interventionRules(bundle).profiles.catalogue };
    const judged = (await isHalted(trx, of, bundle, now))
      ? candidates
      : await judgeAll(trx, services, judging, candidates);
    await forgetCandidates(
      trx,
      of,
      judged.map(({ id }) => id),
    );
  });
}

/** False for a student who was erased. */
async function isLocked(trx: Trx, { organizationId, studentId }: LedgerOf): Promise<boolean> {
  try {
    await lockStudents(trx, organizationId, [studentId]);
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === 'NOT_FOUND') return false;
    throw error;
  }
}

async function forgetAll(trx: Trx, of: LedgerOf, now: Date): Promise<void> {
  const left = await dueCandidates(trx, of, now);
  await forgetCandidates(
    trx,
    of,
    left.map(({ id }) => id),
  );
}

/** Each behind a savepoint of its own. Answers those that are done with. */
async function judgeAll(
  trx: Trx,
  services: Services,
  judging: Judging & { readonly now: Date },
  candidates: readonly Candidate[],
): Promise<Candidate[]> {
  const judged: Candidate[] = [];
  for (const candidate of candidates) {
    try {
      await trx.transaction((savepoint) => judgeCandidate(savepoint, services, judging, candidate));
      judged.push(candidate);
    } catch (error) {
      if (isDatabaseDown(error)) throw error;
      await noteFailure(trx, services, judging, candidate, error);
    }
  }
  return judged;
}
