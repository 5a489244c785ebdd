// The present recommendation about a student: input, result and response.
import type { ReviewType } from '../engine/vocabulary.ts';
import type { RtiSituation } from '../situations/situation.ts';
import type { RtiSituations } from '../situations/situations.ts';
import { type TierInput, tierInput } from './input.ts';
import { type PresentedAdvice, presentAdvice } from './present.ts';
import { adviceOf, type TierAdvice } from './recommendation.ts';

export interface AdviceNow {
  readonly situation: RtiSituation;
  readonly input: TierInput;
  readonly advice: TierAdvice;
  /** As in responses and in frozen rows. */
  readonly shown: PresentedAdvice;
}

/** `reviewType`: of the packet that asks; null outside a packet. */
export function adviceNow(
  { rules, bundle }: Pick<RtiSituations, 'rules' | 'bundle'>,
  situation: RtiSituation,
  reviewType: ReviewType | null = null,
): AdviceNow {
  const input = tierInput(situation, reviewType);
  const advice = adviceOf(input, rules);
  return { situation, input, advice, shown: presentAdvice(input, advice, bundle.versions) };
}
