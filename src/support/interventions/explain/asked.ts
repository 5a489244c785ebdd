// The questions that a stored result was decided by, asked again with the rules that it is stamped with.
import { type DecisionView, decisionOf, type Facts, type RuleBundle, replayQuestion } from '#rules/rulesets/index.ts';
import type { Recommendation } from '../engine/bundles/recommend.ts';

type TableName = Parameters<RuleBundle['table']>[0];

/** Nothing for facts that the table cannot be asked with. */
export function decisionsOf(
  bundle: RuleBundle,
  subject: string,
  questions: readonly (readonly [TableName, Facts])[],
): DecisionView[] {
  return questions.flatMap(([name, facts]) => {
    const call = replayQuestion(bundle.table(name), facts);
    return call ? [decisionOf(call, subject)] : [];
  });
}

/** Of a recommendation: BRR, and where it gives a bundle SCF and DLM. */
export const recommendationQuestions = (found: Recommendation): (readonly [TableName, Facts])[] => [
  ['bundle/recommendation', found.facts],
  ...(found.outcome === 'recommended'
    ? ([
        ['bundle/scaffold-tier', found.scaffold.facts],
        ['bundle/delivery-mode', found.delivery.facts],
      ] as const)
    : []),
];
