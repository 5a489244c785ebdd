// What would become of a request under some rules: told or not, and in which words. Pure.
import type { RuleBundle } from '#rules/rulesets/engine/index.ts';
import { refusals } from '../enums.ts';
import { type Asked, compose, type Lookup, NotificationRefused, type Recipient } from './compose.ts';

/** In the order in which dispatch asks. `told_otherwise`: told on both sides, in other words. */
export const simulatedOutcomes = [...refusals, 'recipient_inactive', 'waits', 'told', 'told_otherwise'] as const;
export type SimulatedOutcome = (typeof simulatedOutcomes)[number];

interface Answer {
  readonly outcome: SimulatedOutcome;
  /** Of what is told. */
  readonly text?: string;
}

/** As dispatch: what cannot be composed for a reason that nobody foresaw counts as `PayloadInvalid`. */
function answerOf(bundle: RuleBundle, asked: Asked, to: Recipient | undefined, lookup: Lookup): Answer {
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

export function simulate(
  { before, after }: RuleSides,
  asked: Asked,
  to: Recipient | undefined,
  lookup: Lookup,
): SimulatedRequest {
  const [now, then] = [before, after].map((bundle) => answerOf(bundle, asked, to, lookup)) as [Answer, Answer];
  const isOther = now.outcome === 'told' && then.outcome === 'told' && now.text !== then.text;
  return { before: now.outcome, after: isOther ? 'told_otherwise' : then.outcome };
}
