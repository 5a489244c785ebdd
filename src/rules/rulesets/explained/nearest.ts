// The least that a school could bring about for another decision, in words.
import type { FactCategories } from '../engine/actionable.ts';
import type { DecisionView, NearestChangeView } from './decision-schemas.ts';
import { actionableFlipOf } from './decisions.ts';

/** Null where the layer was not asked, or says the same whatever answers, items and sessions there are. */
export function nearestChange(decision: DecisionView | undefined, sorts: FactCategories): NearestChangeView | null {
  const flip = decision && actionableFlipOf(decision, sorts);
  if (!flip) return null;
  const { layer, subject, ruleVersion } = decision;
  const { changes, distance, ruleId, outcome } = flip;
  const text = `With ${changes.map(changeText).join(' and ')}, ${ruleId} would say ${outcome} of ${subject}.`;
  return { layer, subject, ruleVersion, changes, distance, ruleId, outcome, text };
}

type Change = NearestChangeView['changes'][number];

const changeText = ({ fact, from, to }: Change): string => `${fact} ${to} instead of ${from}`;
