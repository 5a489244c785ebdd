// Ranks of row outcomes, for checks that compare rows.
import type { TableDocument } from '../document/document.ts';

/** Returns for each row its outcome's rank from worst (0) to best; −1 for unordered outcomes. */
export const ranksOf = ({ rules, outcomes }: TableDocument): readonly number[] =>
  rules.map(({ event }) => outcomes.order.indexOf(event.params.outcome));

/**
 * Returns the direction of each fact: 1 when larger values, later words or `true` are better for the child, −1 when
 * they are worse.
 */
export const directionsOf = ({ facts }: TableDocument): readonly number[] =>
  Object.values(facts).map(({ better }) => (better === 'up' ? 1 : better === 'down' ? -1 : 0));

/** Returns whether a row is the declared default, which every other row precedes. */
export const isDefault = ({ rules }: TableDocument, row: number): boolean => {
  const root = rules[row]?.conditions;
  return row === rules.length - 1 && root !== undefined && 'all' in root && root.all.length === 0;
};
