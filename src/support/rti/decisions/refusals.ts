// Turns the result of a check into an error response: the field that each code is about.
import { AppError, invalid } from '#core/platform/errors.ts';
import { daysBefore } from '#core/platform/pure/dates/days.ts';
import type { RtiSettings } from '../engine/settings.ts';
import type { RtiAnswer } from '../engine/tiers/commit-check.ts';
import type { EffectiveReason, TierDecision } from '../engine/vocabulary.ts';
import type { RtiSituation } from '../situations/situation.ts';

const fieldOf: Readonly<Record<string, string>> = {
  recommendation_stale: 'recommendationId',
  unknown_code: 'overrideCode',
  wrong_scope: 'overrideCode',
  override_required: 'overrideCode',
  override_not_needed: 'overrideCode',
};

/** Throws the error of a refusal; returns when the check has passed. */
export function requireAcceptedDecision({ status, issue }: RtiAnswer): void {
  if (issue === null || status === 200) return;
  const details = [{ field: fieldOf[issue] ?? 'decision', issue }];
  if (status === 422) throw new AppError('VALIDATION_ERROR', 'The request is not valid; see details.', { details });
  throw new AppError('CONFLICT', 'This does not fit what stands about the student’s tier; see details.', { details });
}

interface Effective {
  readonly decision: TierDecision;
  readonly effectiveOn?: string | undefined;
  readonly effectiveReason?: EffectiveReason | undefined;
}

/**
 * Throws VALIDATION_ERROR for a date outside its window. With a reason that is the school year up to today, for the first
 * step of support alone; `yearFrom` is the first day of the year.
 */
export function requireEffective(
  { decision, effectiveOn, effectiveReason }: Effective,
  situation: Pick<RtiSituation, 'today' | 'movedOn'>,
  { yearFrom, settings }: { readonly yearFrom: string; readonly settings: Pick<RtiSettings, 'decisionPastDays'> },
): void {
  if (effectiveReason === undefined) {
    requireDay(effectiveOn, situation, settings);
    return;
  }
  const { today, movedOn } = situation;
  if (decision !== 'escalate' || movedOn !== null) throw invalid('effectiveReason', 'not_applicable');
  if (effectiveOn === undefined) return;
  if (effectiveOn < yearFrom || effectiveOn > today) throw invalid('effectiveOn', 'out_of_range');
}

/** Throws VALIDATION_ERROR for a date that is too far in the past, in the future, or before the newest movement. */
export function requireDay(
  effectiveOn: string | undefined,
  { today, movedOn }: Pick<RtiSituation, 'today' | 'movedOn'>,
  { decisionPastDays }: Pick<RtiSettings, 'decisionPastDays'>,
): void {
  if (effectiveOn === undefined) return;
  const isOutside = effectiveOn > today || effectiveOn < daysBefore(today, decisionPastDays);
  if (isOutside || (movedOn !== null && effectiveOn < movedOn)) throw invalid('effectiveOn', 'out_of_range');
}
