// Judges what is known of students that may mean growth, once all recomputes that it asked for are done. What is judged is
// gone afterwards: what a halt has held back is not made up for later.

import { togetherElseAlone } from '#core/module/request-queue.ts';
import type { Services } from '#core/module/services.ts';
import { inContext, isDatabaseDown, type Trx } from '#core/platform/db.ts';
import { lockLivingStudents } from '#identity/people/index.ts';
import { interventionRules } from '#support/interventions/index.ts';
import { type Candidate, dueCandidates, forgetCandidates } from './candidates.ts';
import { noteFailure } from './failures.ts';
import { haltedAmong } from './halts.ts';
import { judgeCandidates } from './judge/judge.ts';
import type { Judging } from './judge/judging.ts';

/**
 * Of a job's students in one transaction. Where that fails each has one of their own: one who fails holds up no other. The
 * first failure is thrown when all have had their turn.
 */
export const serveMastery = (
  services: Services,
  organizationId: string,
  studentIds: readonly number[],
): Promise<void> =>
  togetherElseAlone(services, { organizationId, studentIds }, studentIds, {
    together: (all) => serveStudents(services, organizationId, all, judgeTogether),
    alone: (studentId) => serveStudents(services, organizationId, [studentId], judgeEach),
  });

/** Answers those that are done with. */
type JudgeAll = (
  trx: Trx,
  services: Services,
  judging: Judging & { readonly now: Date },
  candidates: readonly Candidate[],
) => Promise<readonly Candidate[]>;

async function serveStudents(
  services: Services,
  organizationId: string,
  studentIds: readonly number[],
  judgeAll: JudgeAll,
): Promise<void> {
  await inContext(services.db, { organizationId }, async (trx) => {
    const living = await lockLivingStudents(trx, organizationId, studentIds);
    const now = services.clock.now();
    const isLiving = new Set(living);
    const erased = studentIds.filter((id) => !isLiving.has(id));
    const candidates = await dueCandidates(trx, { organizationId, living, erased }, now);
    const due = candidates.filter(({ studentId }) => isLiving.has(studentId));
    const ofErased = candidates.filter(({ studentId }) => !isLiving.has(studentId));
    const done = due.length === 0 ? [] : await judgeDue(trx, services, { organizationId, now, due, judgeAll });
    await forgetCandidates(trx, organizationId, [...ofErased, ...done]);
  });
}

interface Due {
  readonly organizationId: string;
  readonly now: Date;
  readonly due: readonly Candidate[];
  readonly judgeAll: JudgeAll;
}

/** Answers those that are done with: what is held back by a halt is among them. */
async function judgeDue(
  trx: Trx,
  services: Services,
  { organizationId, now, due, judgeAll }: Due,
): Promise<Candidate[]> {
  const { rules: bundle } = await services.rules.at(trx, now);
  const studentIds = [...new Set(due.map(({ studentId }) => studentId))];
  const halted = await haltedAmong(trx, { organizationId, studentIds, bundle, now });
  const judging = { organizationId, bundle, now, catalogue: interventionRules(bundle).profiles.catalogue };
  const free = due.filter(({ studentId }) => !halted.has(studentId));
  return [...due.filter(({ studentId }) => halted.has(studentId)), ...(await judgeAll(trx, services, judging, free))];
}

/** All or none. */
const judgeTogether: JudgeAll = async (trx, services, judging, candidates) => {
  await judgeCandidates(trx, services, judging, candidates);
  return candidates;
};

/** Each behind a savepoint of its own. */
const judgeEach: JudgeAll = async (trx, services, judging, candidates) => {
  const judged: Candidate[] = [];
  for (const candidate of candidates) {
    try {
      await trx.transaction((savepoint) => judgeCandidates(savepoint, services, judging, [candidate]));
      judged.push(candidate);
    } catch (error) {
      if (isDatabaseDown(error)) throw error;
      await noteFailure(trx, services, judging, candidate, error);
    }
  }
  return judged;
};
