// Typed facts of ADR.

import type { TypedFacts } from '#rules/rulesets/engine/index.ts';
import type { ResponseFacts } from '../../../measurement/engine/index.ts';

type AdrFacts = Pick<
  ResponseFacts,
  'analysable' | 'answered' | 'attempt' | 'correct' | 'support' | 'speed' | 'errorClass'
>;

export const adrFacts: TypedFacts<AdrFacts> = ({ word, flag }) => {
  const analysable = flag('analysable');
  const answered = flag('answered');
  const attempt = word('attempt');
  const correct = flag('correct');
  const support = word('support');
  const speed = word('speed');
  const errorClass = word('errorClass');
  return (facts) =>
    analysable(facts.analysable) &
    answered(facts.answered) &
    attempt(facts.attempt) &
    correct(facts.correct) &
    support(facts.support) &
    speed(facts.speed) &
    errorClass(facts.errorClass);
};
