// A common fact space for two versions of a table that may declare different facts.
import type { Condition, Constraint, FactSpec, Leaf, NumericFact, TableDocument } from '../../document/document.ts';

export interface JointSpace {
  /** Each version over all facts; values outside its own domains are impossible in it. */
  readonly before: TableDocument;
  readonly after: TableDocument;
  /** The rules and constraints of both, which define the cuts of the facts. */
  readonly cutters: TableDocument;
}

/** Returns undefined when a fact changed its type, so that its values cannot be compared. */
export function jointSpace(before: TableDocument, after: TableDocument): JointSpace | undefined {
  const facts: Record<string, FactSpec> = { ...before.facts };
  for (const [name, spec] of Object.entries(after.facts)) {
    const joined = joinedSpec(before.facts[name] ?? spec, spec);
    if (!joined) return undefined;
    facts[name] = joined;
  }
  const [left, right] = [over(before, facts), over(after, facts)];
  const constraints = [...(left.constraints ?? []), ...(right.constraints ?? [])];
  return { before: left, after: right, cutters: { ...right, constraints, rules: [...left.rules, ...right.rules] } };
}

function joinedSpec(left: FactSpec, right: FactSpec): FactSpec | undefined {
  if (left.type === 'enum' && right.type === 'enum') {
    return { ...right, values: [...new Set([...left.values, ...right.values])] };
  }
  if ('min' in left && 'min' in right && left.type === right.type) {
    return { ...right, min: Math.min(left.min, right.min), max: Math.max(left.max, right.max) };
  }
  return left.type === right.type ? right : undefined;
}

function over(document: TableDocument, facts: Readonly<Record<string, FactSpec>>): TableDocument {
  const outside = Object.entries(document.facts).flatMap(([name, spec]): Constraint[] => {
    const wide = facts[name];
    const leaves = wide ? outsideLeaves(name, spec, wide) : [];
    const impossible = { any: leaves satisfies readonly Condition[] };
    return leaves.length === 0 ? [] : [{ id: `${name} outside`, rationale: 'outside its domain', impossible }];
  });
  return { ...document, facts, constraints: [...(document.constraints ?? []), ...outside] };
}

/** Returns comparisons that hold exactly on the values of the joined domain outside the document's own. */
function outsideLeaves(fact: string, own: FactSpec, wide: FactSpec): readonly Leaf[] {
  if (own.type === 'enum' && wide.type === 'enum') {
    const added = wide.values.filter((value) => !own.values.includes(value));
    return added.length === 0 ? [] : [{ fact, operator: 'in', value: added }];
  }
  return 'min' in own && 'min' in wide ? outsideRange(fact, own, wide) : [];
}

const outsideRange = (fact: string, own: NumericFact, wide: NumericFact): readonly Leaf[] => [
  ...(wide.min < own.min ? [{ fact, operator: 'lessThan', value: own.min } as const] : []),
  ...(wide.max > own.max ? [{ fact, operator: 'greaterThan', value: own.max } as const] : []),
];
