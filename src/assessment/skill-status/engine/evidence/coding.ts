// Layer ADR: each response gets one final status code with its weight and deficit.

import type { RuleBundle } from '#rules/rulesets/engine/index.ts';
import { firstHit } from '#rules/rulesets/engine/index.ts';
import type { ResponseFacts } from '../../../measurement/engine/index.ts';
import { type ResponseCode, responseCodes } from '../vocabulary.ts';
import { adrFacts } from './typed-facts.ts';

export interface CodeRule {
  readonly ruleId: string;
  readonly code: ResponseCode;
  /** Whether the response is an evidence unit; an unscored response is kept. */
  readonly scored: boolean;
  /** Before multiplication with the weight of the source. */
  readonly weight: number;
  /** 0 (right) to 1 (wrong). */
  readonly deficit: number;
}

/** Returns the code of a response; `sessionAnalysable` is the `analysable` of its session. */
export type Coding = (response: ResponseFacts, sessionAnalysable: boolean) => CodeRule;

export function compileCoding(bundle: RuleBundle): Coding {
  const codeOf = firstHit(
    bundle.table('adr/adr'),
    adrFacts,
    (answer): CodeRule => ({
      ruleId: answer.ruleId,
      code: answer.word('outcome', responseCodes),
      scored: answer.flag('scored'),
      weight: answer.number('weight'),
      deficit: answer.number('deficit'),
    }),
  );
  const known: CodeRule[] = [];
  return (response, sessionAnalysable) => {
    const analysable = response.analysable && sessionAnalysable;
    const key = keyOf(response, analysable);
    return known[key] ?? remember(known, key, codeOf(adrFactsOf(response, analysable)));
  };
}

function remember(known: CodeRule[], key: number, rule: CodeRule): CodeRule {
  known[key] = rule;
  return rule;
}

/** Returns an index for each of the 256 fact sets, so that each is decided once; NaN for an unknown value. */
const keyOf = ({ answered, attempt, correct, support, speed, errorClass }: ResponseFacts, analysable: boolean) =>
  (analysable ? 1 : 0) +
  (answered ? 2 : 0) +
  (correct ? 4 : 0) +
  offsets.attempt[attempt] +
  offsets.support[support] +
  offsets.speed[speed] +
  offsets.errorClass[errorClass];

const offsets = {
  attempt: { first: 0, repeat: 8 },
  support: { none: 0, auto_support: 16 },
  speed: { normal: 0, slow: 32 },
  errorClass: { none: 0, prerequisite: 64, accuracy_mark: 128, target: 192 },
} as const;

const adrFactsOf = (
  { answered, attempt, correct, support, speed, errorClass }: ResponseFacts,
  analysable: boolean,
) => ({
  analysable,
  answered,
  attempt,
  correct,
  support,
  speed,
  errorClass,
});
