// Interprets condition trees directly. Traces use this slow evaluation, and tests compare the compiled one with it.
import type { Condition, Facts, FactValue, Leaf, TracedCondition } from './document.ts';
import { leafHolds } from './operators.ts';

export function leavesOf(condition: Condition): readonly Leaf[] {
  if ('all' in condition) return condition.all.flatMap(leavesOf);
  if ('any' in condition) return condition.any.flatMap(leavesOf);
  if ('not' in condition) return leavesOf(condition.not);
  return [condition];
}

/** Returns undefined when the condition holds; else the first leaf, in reading order, that explains why not. */
export function firstFailure(condition: Condition, facts: Facts): TracedCondition | undefined {
  return explain(condition, facts, '', false);
}

/**
 * Returns the leaves by which a condition holds, in reading order; for `any` the first member that holds. Empty for the
 * default rule.
 */
export function matchedLeaves(condition: Condition, facts: Facts): readonly TracedCondition[] {
  return reasons(condition, facts, '', false);
}

/** Returns whether the condition holds. Called for every cell of a table. */
export function holds(condition: Condition, facts: Facts): boolean {
  if ('all' in condition) return condition.all.every((member) => holds(member, facts));
  if ('any' in condition) return condition.any.length === 0 || condition.any.some((member) => holds(member, facts));
  if ('not' in condition) return !holds(condition.not, facts);
  return leafHolds(condition, actualOf(condition, facts));
}

/** `negated` evaluates the opposite and turns `all` into `any` below. */
function explain(condition: Condition, facts: Facts, at: string, negated: boolean): TracedCondition | undefined {
  if ('not' in condition) return explain(condition.not, facts, `${at}not.`, !negated);
  if ('all' in condition) return explainMany(condition.all, facts, `${at}all.`, negated, !negated);
  if ('any' in condition) return explainMany(condition.any, facts, `${at}any.`, negated, negated);
  const actual = actualOf(condition, facts);
  if (leafHolds(condition, actual) !== negated) return undefined;
  return { ...condition, at: at.slice(0, -1), actual, negated };
}

/** Returns the leaves by which a condition holds, or with `negated` does not hold. */
function reasons(condition: Condition, facts: Facts, at: string, negated: boolean): readonly TracedCondition[] {
  if ('not' in condition) return reasons(condition.not, facts, `${at}not.`, !negated);
  if (!('all' in condition || 'any' in condition)) {
    return [{ ...condition, at: at.slice(0, -1), actual: actualOf(condition, facts), negated }];
  }
  const [word, members] = 'all' in condition ? (['all', condition.all] as const) : (['any', condition.any] as const);
  const placed = members.map((member, index) => ({ member, at: `${at}${word}.${index}.` }));
  const allMustHold = (word === 'all') !== negated;
  const holding = allMustHold ? placed : placed.filter(({ member }) => holds(member, facts) !== negated).slice(0, 1);
  return holding.flatMap(({ member, at: path }) => reasons(member, facts, path, negated));
}

function actualOf({ fact }: Leaf, facts: Facts): FactValue {
  const actual = facts[fact];
  if (actual === undefined) throw new Error(`fact ${fact} is missing`);
  return actual;
}

function explainMany(
  members: readonly Condition[],
  facts: Facts,
  at: string,
  negated: boolean,
  allMustHold: boolean,
): TracedCondition | undefined {
  let first: TracedCondition | undefined;
  for (const [index, member] of members.entries()) {
    const failed = explain(member, facts, `${at}${index}.`, negated);
    if (allMustHold && failed) return failed;
    if (!allMustHold && !failed) return undefined;
    first ??= failed;
  }
  return allMustHold ? undefined : first;
}
