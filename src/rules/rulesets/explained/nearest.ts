// The smallest change within a school's reach that changes a decision, as conditions.
import type { FactCategories } from '../engine/actionable.ts';
import type { DecisionView, NearestChangeView } from './decision-schemas.ts';
import { actionableFlipOf } from './decisions.ts';

/**
 * Returns null when the layer was not asked, or decides the same for all answers, items and sessions. `isAboutChild`:
 * whether a fact is about the child, by its term.
 */
export function nearestChange(
  decision: DecisionView | undefined,
  categories: FactCategories,
  isAboutChild: (fact: string) => boolean,
): NearestChangeView | null {
  const flip = decision && actionableFlipOf(decision, categories, isAboutChild);
  if (!flip) return null;
  const { layer, subject, ruleVersion } = decision;
  const { changes, distance, ruleId, outcome } = flip;
  const text = `With ${changes.map(changeText).join(' and ')}, ${ruleId} would say ${outcome} of ${subject}.`;
  return { layer, subject, ruleVersion, changes, distance, ruleId, outcome, text };
}

type Change = NearestChangeView['changes'][number];

const changeText = ({ fact, from, to }: Change): string => `${fact} ${to} instead of ${from}`;
