// Walks of a condition tree, and its plain meaning: the slow reading that traces and tests hold the compiled one to.
import type { Condition, Facts, FactValue, Leaf, TracedCondition } from './document.ts';
import { leafHolds } from './operators.ts';

export function leavesOf(condition: Condition): readonly Leaf[] {
  if ('all' in condition) return condition.all.flatMap(leavesOf);
  if ('any' in condition) return condition.any.flatMap(leavesOf);
  if ('not' in condition) return leavesOf(condition.not);
  return [condition];
}

/** Undefined when the condition holds; else the first leaf, in reading order, that explains why it does not. */
export function firstFailure(condition: Condition, facts: Facts): TracedCondition | undefined {
  return explain(condition, facts, '', false);
}

/** The leaves that a condition holds by, in reading order; of `any` the first member that holds. None for the default rule. */
export function heldBy(condition: Condition, facts: Facts): readonly TracedCondition[] {
  return reasons(condition, facts, '', false);
}

/** The same without the reason: asked of every cell of a table. */
export function holds(condition: Condition, facts: Facts): boolean {
  if ('all' in condition) return condition.all.every((member) => holds(member, facts));
  if ('any' in condition) return condition.any.length === 0 || condition.any.some((member) => holds(member, facts));
  if ('not' in condition) return !holds(condition.not, facts);
  return leafHolds(condition, actualOf(condition, facts));
}

/** `negated` asks for the opposite, and turns `all` into `any` on the way down. */
function explain(condition: Condition, facts: Facts, at: string, negated: boolean): TracedCondition | undefined {
  if ('not' in condition) return explain(condition.not, facts, `${at}not.`, !negated);
  if ('all' in condition) return explainMany(condition.all, facts, `${at}all.`, negated, !negated);
  if ('any' in condition) return explainMany(condition.any, facts, `${at}any.`, negated, negated);
  const actual = actualOf(condition, facts);
  if (leafHolds(condition, actual) !== negated) return undefined;
  return { ...condition, at: at.slice(0, -1), actual, negated };
}

/** Of a condition that holds, or with `negated` does not. */
function reasons(condition: Condition, facts: Facts, at: string, negated: boolean): readonly TracedCondition[] {
  if ('not' in condition) return reasons(condition.not, facts, `${at}not.`, !negated);
  if (!('all' in condition || 'any' in condition)) {
    return [{ ...condition, at: at.slice(0, -1), actual: actualOf(condition, facts), negated }];
  }
  const [word, members] = 'all' in condition ? (['all', condition.all] as const) : (['any', condition.any] as const);
  const placed = members.map((member, index) => ({ member, at: `${at}${word}.${index}.` }));
  const allMustHold = (word === 'all') !== negated;
  const holding = allMustHold ? placed : placed.filter(({ member }) => holds(member, facts) !== negated).slice(0, 1);
  return holding.flatMap(({ member, at: place }) => reasons(member, facts, place, negated));
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
