// Evaluates again the decisions behind a stored result, by the rules that it is stamped with.
import { type DecisionView, decisionOf, type Facts, type RuleBundle, replayQuestion } from '#rules/rulesets/index.ts';
import type { Recommendation } from '../engine/bundles/recommend.ts';

type TableName = Parameters<RuleBundle['table']>[0];

/** Leaves out questions whose facts do not fit the table. */
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

/** The questions of a recommendation: BRR, and SCF and DLM when it names a bundle. */
export const recommendationQuestions = (found: Recommendation): (readonly [TableName, Facts])[] => [
  ['bundle/recommendation', found.facts],
  ...(found.outcome === 'recommended'
    ? ([
        ['bundle/scaffold-tier', found.scaffold.facts],
        ['bundle/delivery-mode', found.delivery.facts],
      ] as const)
    : []),
];
