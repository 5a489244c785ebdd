// Conditions as text, for findings and the terminal.
import type { Condition, OperatorName } from '../document/document.ts';

/** Returns one line: `deficitBand in mild, marked and 0.2 <= rawRate`. */
export function conditionText(condition: Condition): string {
  if ('all' in condition) return condition.all.length === 0 ? 'anything' : condition.all.map(nested).join(' and ');
  if ('any' in condition) return condition.any.map(nested).join(' or ');
  if ('not' in condition) return `not (${conditionText(condition.not)})`;
  return `${condition.fact} ${signs[condition.operator]} ${[condition.value].flat().join(', ')}`;
}

const nested = (condition: Condition): string => {
  const isList = 'all' in condition || 'any' in condition;
  return isList ? `(${conditionText(condition)})` : conditionText(condition);
};

const signs: Readonly<Record<OperatorName, string>> = {
  equal: '=',
  notEqual: '≠',
  lessThan: '<',
  lessThanInclusive: '≤',
  greaterThan: '>',
  greaterThanInclusive: '≥',
  in: 'in',
  notIn: 'not in',
};
