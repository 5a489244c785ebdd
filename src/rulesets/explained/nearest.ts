// The least that would have to be different for another decision, in words.
import type { DecisionView, NearestChangeView } from './decision-schemas.ts';

/** Null where the layer was not asked, or says the same whatever the facts. */
export function nearestChange(decision: DecisionView | undefined): NearestChangeView | null {
  if (!decision || 'hits' in decision || !decision.flipDistance) return null;
  const { layer, subject, ruleVersion } = decision;
  const { changes, distance, ruleId, outcome } = decision.flipDistance;
  const text = `With ${changes.map(changeText).join(' and ')}, ${ruleId} would say ${outcome} of ${subject}.`;
  return { layer, subject, ruleVersion, changes, distance, ruleId, outcome, text };
}

type Change = NearestChangeView['changes'][number];

const changeText = ({ fact, from, to }: Change): string => `${fact} ${to} instead of ${from}`;
