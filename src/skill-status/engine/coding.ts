// Layer ADR: each response gets one final status code, with what it weighs and how much deficit it shows.
import type { RuleBundle } from '../../rulesets/engine/bundle.ts';
import { firstHit } from './decider.ts';
import type { ResponseFacts } from './evidence.ts';
import { type ResponseCode, responseCodes } from './vocabulary.ts';

export interface CodeRule {
  readonly ruleId: string;
  readonly code: ResponseCode;
  /** Not scored: the response is kept but makes no evidence unit. */
  readonly scored: boolean;
  /** Before the weight of the source. */
  readonly weight: number;
  /** 0 (right) to 1 (wrong). */
  readonly deficit: number;
}

/** The code of a response; `sessionAnalysable` is its session's half of `analysable`. */
export type Coding = (response: ResponseFacts, sessionAnalysable: boolean) => CodeRule;

export function compileCoding(bundle: RuleBundle): Coding {
  const codeOf = firstHit<CodeRule>(bundle.table('adr/adr'), (says) => ({
    ruleId: says.ruleId,
    code: says.word('outcome', responseCodes),
    scored: says.flag('scored'),
    weight: says.number('weight'),
    deficit: says.number('deficit'),
  }));
  return (response, sessionAnalysable) =>
    codeOf({
      analysable: response.analysable && sessionAnalysable,
      answered: response.answered,
      attempt: response.attempt,
      correct: response.correct,
      support: response.support,
      speed: response.speed,
      errorClass: response.errorClass,
    });
}
