// The reviews that may be opened for a student.
import type { ProfileCode, SupportTier } from '../../../interventions/engine/index.ts';
import type { ReviewType, RtiAlertKind } from '../vocabulary.ts';
import type { PacketRules, Review } from './rules.ts';

export interface OpenableState {
  readonly tier: SupportTier;
  /** Kind of the open alert; null without one. */
  readonly alert: RtiAlertKind | null;
  /** Whether circumstances are active (DSF-02). */
  readonly contextual: boolean;
  readonly profile: ProfileCode;
}

/** In the order of the document. */
export const openable = (state: OpenableState, { reviews }: PacketRules): readonly ReviewType[] =>
  reviews.filter((review) => mayBeOpened(review, state)).map(({ code }) => code);

function mayBeOpened(review: Review, { tier, alert, contextual, profile }: OpenableState): boolean {
  if (alert === 'acute_regression_review' && !goesBesideAcute(review)) return false;
  if (!review.tiers.includes(tier)) return false;
  if (review.alert !== null) return review.alert === alert;
  return !review.contextual || contextual || review.profiles.includes(profile);
}

/** An open acute regression is reviewed first; circumstances may be clarified meanwhile. */
export const goesBesideAcute = ({ alert, contextual }: Review): boolean =>
  contextual || alert === 'acute_regression_review';
