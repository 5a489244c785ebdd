// Which students need a review by a person first: as the newest runs stored it, or by both dictionaries where the draft changes them.

import { simulation } from '#assessment/skill-status/index.ts';
import type { Services } from '#core/module/services.ts';
import { bulkReadingIn } from '#core/platform/db.ts';
import type { OrganizationJob } from '../input.ts';
import type { RulePair } from '../rule-pair.ts';

export interface Reviews {
  /** Under the rules in force. */
  readonly before: boolean;
  /** Under the draft. */
  readonly after: boolean;
}

export type ReviewsOf = (run: simulation.SimulatedRun) => Reviews;

export async function reviewsOf(
  services: Pick<Services, 'capabilities' | 'db' | 'itemBanks'>,
  { organizationId, input: { asOf } }: Pick<OrganizationJob, 'organizationId' | 'input'>,
  { asksReviews, before, after }: RulePair,
  runs: readonly simulation.SimulatedRun[],
): Promise<ReviewsOf> {
  if (!asksReviews) return ({ contextReview }) => ({ before: contextReview, after: contextReview });
  const [now, then] = await bulkReadingIn(services.db, { organizationId })(async (trx) => [
    await simulation.readContextReviews(trx, services, runs, asOf, before.bundle),
    await simulation.readContextReviews(trx, services, runs, asOf, after.bundle),
  ]);
  return ({ studentId }) => ({ before: now?.has(studentId) ?? false, after: then?.has(studentId) ?? false });
}
