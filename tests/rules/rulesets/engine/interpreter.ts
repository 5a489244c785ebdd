// An independent interpreter of decision tables: JavaScript's own operators, row by row.
import type { Condition, Facts, FactValue, Leaf, TableDocument } from '#rules/rulesets/engine/document/document.ts';

/** Returns the ids of the rules that hold, in table order. */
export const hitsByHand = (document: TableDocument, facts: Facts): string[] => byHand(document)(facts);

/** Returns an evaluator of one table for many facts; at most `most` ids. */
export function byHand(document: TableDocument, most = Number.POSITIVE_INFINITY): (facts: Facts) => string[] {
  const rules = document.rules.map(({ name, conditions }) => ({ name, holds: reading(conditions) }));
  return (facts) => {
    const hits: string[] = [];
    for (const { name, holds } of rules) {
      if (hits.length === most) break;
      if (holds(facts)) hits.push(name);
    }
    return hits;
  };
}

export type Reading = (facts: Facts) => boolean;

/** Compiles a condition into a predicate for repeated use. */
export function reading(condition: Condition): Reading {
  if ('all' in condition) {
    const members = condition.all.map(reading);
    return (facts) => members.every((holds) => holds(facts));
  }
  if ('any' in condition) {
    const members = condition.any.map(reading);
    return (facts) => members.some((holds) => holds(facts));
  }
  if ('not' in condition) {
    const inner = reading(condition.not);
    return (facts) => !inner(facts);
  }
  return comparison(condition);
}

function comparison({ fact, operator, value }: Leaf): Reading {
  if (Array.isArray(value)) return (facts) => value.includes(facts[fact]) === (operator === 'in');
  const expected = value as FactValue;
  const actual = (facts: Facts) => facts[fact] as FactValue;
  switch (operator) {
    case 'equal':
      return (facts) => actual(facts) === expected;
    case 'notEqual':
      return (facts) => actual(facts) !== expected;
    case 'lessThan':
      return (facts) => actual(facts) < expected;
    case 'lessThanInclusive':
      return (facts) => actual(facts) <= expected;
    case 'greaterThan':
      return (facts) => actual(facts) > expected;
    case 'greaterThanInclusive':
      return (facts) => actual(facts) >= expected;
    default:
      throw new Error(`${operator} needs a list`);
  }
}
