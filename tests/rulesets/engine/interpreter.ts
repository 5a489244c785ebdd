// A reading of decision tables that shares no line with the product: JavaScript's own operators, row by row.
import type { Condition, Facts, FactValue, TableDocument } from '../../../src/rulesets/engine/document/document.ts';

/** Ids of the rules that hold, in table order. */
export const hitsByHand = (document: TableDocument, facts: Facts): string[] =>
  document.rules.filter((rule) => isTrue(rule.conditions, facts)).map((rule) => rule.name);

function isTrue(condition: Condition, facts: Facts): boolean {
  if ('all' in condition) return condition.all.every((member) => isTrue(member, facts));
  if ('any' in condition) return condition.any.some((member) => isTrue(member, facts));
  if ('not' in condition) return !isTrue(condition.not, facts);
  const actual = facts[condition.fact] as FactValue;
  const { operator, value } = condition;
  if (Array.isArray(value)) return value.includes(actual) === (operator === 'in');
  const expected = value as FactValue;
  switch (operator) {
    case 'equal':
      return actual === expected;
    case 'notEqual':
      return actual !== expected;
    case 'lessThan':
      return actual < expected;
    case 'lessThanInclusive':
      return actual <= expected;
    case 'greaterThan':
      return actual > expected;
    case 'greaterThanInclusive':
      return actual >= expected;
    default:
      throw new Error(`${operator} needs a list`);
  }
}
