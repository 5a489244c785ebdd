// Decides who takes part in a session of a bundle (RCP).

import { firstHit, type RuleBundle } from '#rules/rulesets/engine/index.ts';
import { listedFacts } from '../typed-facts.ts';

export interface RecipientQuestion {
  readonly dndy: boolean;
  readonly dataIncomplete: boolean;
  /** An alert acute_regression_review is open. */
  readonly acuteOpen: boolean;
  /** An active assignment of the session's bundle. */
  readonly hasActive: boolean;
}

const recipientReasons = [
  'none',
  'do_not_decide_yet',
  'data_incomplete',
  'acute_regression_open',
  'no_open_assignment',
] as const;

export const recipientFacts = listedFacts({
  ...{ dndy: 'flag', dataIncomplete: 'flag', acuteOpen: 'flag', hasActive: 'flag' },
} as const);

export interface RecipientAnswer {
  readonly ruleId: string;
  /** A hard exclusion cannot be lifted. */
  readonly outcome: 'excluded_hard' | 'excluded_soft' | 'included';
  readonly reasonCode: (typeof recipientReasons)[number];
}

/** Throws BundleError when the document is missing, RangeError when it has an unknown value. */
export const compileRecipients = (bundle: RuleBundle): ((question: RecipientQuestion) => RecipientAnswer) => {
  const ask = firstHit(
    bundle.table('bundle/session-recipient'),
    recipientFacts,
    (answer): RecipientAnswer => ({
      ruleId: answer.ruleId,
      outcome: answer.word('outcome', ['excluded_hard', 'excluded_soft', 'included']),
      reasonCode: answer.word('reasonCode', recipientReasons),
    }),
  );
  return ({ dndy, dataIncomplete, acuteOpen, hasActive }) => ask({ dndy, dataIncomplete, acuteOpen, hasActive });
};
