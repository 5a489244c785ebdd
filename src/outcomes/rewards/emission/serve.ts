// Evaluates the candidates of students, once all pending recomputes of the student are done. Evaluated candidates are
// deleted; growth that a halt has suppressed is not recorded later.

import { togetherElseAlone } from '#core/module/request-queue.ts';
import type { Services } from '#core/module/services.ts';
import { inContext, isDatabaseDown, type Trx } from '#core/platform/db.ts';
import { lockLivingStudents } from '#identity/people/index.ts';
import { interventionRules } from '#support/interventions/index.ts';
import { type Candidate, deleteCandidates, dueCandidates } from './candidates.ts';
import { evaluateCandidates } from './evaluation/evaluate-candidates.ts';
import type { EvaluationContext } from './evaluation/growth-source.ts';
import { recordFailure } from './failures.ts';
import { studentsInHalt } from './halts.ts';

/**
 * Serves the students of a job in one transaction. If it fails, each student is served in a transaction of their own,
 * so that one failure blocks no other; the first failure is thrown at the end.
 */
export const serveMastery = (
  services: Services,
  organizationId: string,
  studentIds: readonly number[],
): Promise<void> =>
  togetherElseAlone(services, { organizationId, studentIds }, studentIds, {
    together: (all) => serveStudents(services, organizationId, all, evaluateTogether),
    alone: (studentId) => serveStudents(services, organizationId, [studentId], evaluateEach),
  });

/** Evaluates candidates and returns those that are done. */
type EvaluateAll = (
  trx: Trx,
  services: Services,
  context: EvaluationContext & { readonly now: Date },
  candidates: readonly Candidate[],
) => Promise<readonly Candidate[]>;

async function serveStudents(
  services: Services,
  organizationId: string,
  studentIds: readonly number[],
  evaluateAll: EvaluateAll,
): Promise<void> {
  await inContext(services.db, { organizationId }, async (trx) => {
    const living = await lockLivingStudents(trx, organizationId, studentIds);
    const now = services.clock.now();
    const isLiving = new Set(living);
    const erased = studentIds.filter((id) => !isLiving.has(id));
    const candidates = await dueCandidates(trx, { organizationId, living, erased }, now);
    const due = candidates.filter(({ studentId }) => isLiving.has(studentId));
    const ofErased = candidates.filter(({ studentId }) => !isLiving.has(studentId));
    const done = due.length === 0 ? [] : await evaluateDue(trx, services, { organizationId, now, due, evaluateAll });
    await deleteCandidates(trx, organizationId, [...ofErased, ...done]);
  });
}

interface Due {
  readonly organizationId: string;
  readonly now: Date;
  readonly due: readonly Candidate[];
  readonly evaluateAll: EvaluateAll;
}

/** Returns the candidates that are done, including those of halted students. */
async function evaluateDue(
  trx: Trx,
  services: Services,
  { organizationId, now, due, evaluateAll }: Due,
): Promise<Candidate[]> {
  const { rules: bundle } = await services.rules.at(trx, now);
  const studentIds = [...new Set(due.map(({ studentId }) => studentId))];
  const halted = await studentsInHalt(trx, { organizationId, studentIds, bundle, now });
  const context = { organizationId, bundle, now, catalogue: interventionRules(bundle).profiles.catalogue };
  const free = due.filter(({ studentId }) => !halted.has(studentId));
  return [
    ...due.filter(({ studentId }) => halted.has(studentId)),
    ...(await evaluateAll(trx, services, context, free)),
  ];
}

/** Evaluates all candidates or none. */
const evaluateTogether: EvaluateAll = async (trx, services, context, candidates) => {
  await evaluateCandidates(trx, services, context, candidates);
  return candidates;
};

/** Evaluates each candidate behind a savepoint of its own. */
const evaluateEach: EvaluateAll = async (trx, services, context, candidates) => {
  const evaluated: Candidate[] = [];
  for (const candidate of candidates) {
    try {
      await trx.transaction((savepoint) => evaluateCandidates(savepoint, services, context, [candidate]));
      evaluated.push(candidate);
    } catch (error) {
      if (isDatabaseDown(error)) throw error;
      await recordFailure(trx, services, context, candidate, error);
    }
  }
  return evaluated;
};
