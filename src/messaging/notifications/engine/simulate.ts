// The outcome of a request under a set of rules: whether it would be delivered, and with which text. Pure.
import type { RuleBundle } from '#rules/rulesets/engine/index.ts';
import { requestRefusals } from '../enums.ts';
import { compose, type Lookup, NotificationRefused, type Recipient, type RequestedNotification } from './compose.ts';

/** In the order of the checks of a dispatch. `told_otherwise`: delivered on both sides, with different texts. */
export const simulatedOutcomes = [
  ...requestRefusals,
  ...(['stage_unknown', 'reason_unknown', 'recipient_inactive', 'waits', 'told', 'told_otherwise'] as const),
] as const;
export type SimulatedOutcome = (typeof simulatedOutcomes)[number];

interface Answer {
  readonly outcome: SimulatedOutcome;
  /** Present when the request would be delivered. */
  readonly text?: string;
}

/** Like dispatch, counts an unexpected failure as `PayloadInvalid`. */
function answerOf(bundle: RuleBundle, asked: RequestedNotification, to: Recipient | undefined, lookup: Lookup): Answer {
  try {
    const outcome = compose(bundle, asked, to, lookup);
    if ('skipped' in outcome) return { outcome: outcome.skipped };
    if ('waitsFor' in outcome) return { outcome: 'waits' };
    return { outcome: 'told', text: JSON.stringify([outcome.composed.titleAr, outcome.composed.bodyAr]) };
  } catch (error) {
    return { outcome: error instanceof NotificationRefused ? error.refusal : 'PayloadInvalid' };
  }
}

export interface RuleSides {
  readonly before: RuleBundle;
  readonly after: RuleBundle;
}

export interface SimulatedRequest {
  readonly before: SimulatedOutcome;
  readonly after: SimulatedOutcome;
}

export function simulateRequest(
  { before, after }: RuleSides,
  asked: RequestedNotification,
  to: Recipient | undefined,
  lookup: Lookup,
): SimulatedRequest {
  const [now, then] = [before, after].map((bundle) => answerOf(bundle, asked, to, lookup)) as [Answer, Answer];
  const isOther = now.outcome === 'told' && then.outcome === 'told' && now.text !== then.text;
  return { before: now.outcome, after: isOther ? 'told_otherwise' : then.outcome };
}
