// How good a row's outcome is, for those questions that compare rows.
import type { TableDocument } from '../document/document.ts';

/** For each row its outcome's place from worst (0) to best; −1 for outcomes that are neither. */
export const ranksOf = ({ rules, outcomes }: TableDocument): readonly number[] =>
  rules.map(({ event }) => outcomes.order.indexOf(event.params.outcome));

/** Facts with a direction: 1 when larger values, later words or `true` speak for the child, −1 when they speak against. */
export const directionsOf = ({ facts }: TableDocument): readonly number[] =>
  Object.values(facts).map(({ better }) => (better === 'up' ? 1 : better === 'down' ? -1 : 0));

/** Whether a row is the declared default, which gives way to every other. */
export const isDefault = ({ rules }: TableDocument, row: number): boolean => {
  const root = rules[row]?.conditions;
  return row === rules.length - 1 && root !== undefined && 'all' in root && root.all.length === 0;
};
