// Mutants: small mistakes in a table. A golden set is as good as the share of them that it detects.
import type {
  Condition,
  FactSpec,
  Leaf,
  OperatorName,
  RootCondition,
  Rule,
  TableDocument,
} from '../../document/document.ts';
import { valueProblem } from '../../document/facts.ts';
import { conditionText } from '../condition-text.ts';
import { dropsOf } from '../drops.ts';

export type MutantKind = 'drop_rule' | 'swap_rules' | 'drop_condition' | 'shift_number' | 'flip_comparison';

export interface Mutant {
  readonly kind: MutantKind;
  /** The changed row; for a swap the upper one. */
  readonly row: number;
  readonly ruleIds: readonly string[];
  readonly description: string;
  /** The changed conditions; absent when rules are dropped or swapped. */
  readonly conditions?: RootCondition;
  readonly document: TableDocument;
}

/** Thresholds are compared after rounding to 4 decimals, so this is the smallest visible mistake. */
const decimalStep = 0.0001;

/** Returns every mutant in table order. None leaves the domain of a fact, since the loader would refuse it. */
export function mutantsOf(document: TableDocument): readonly Mutant[] {
  return document.rules.flatMap((rule, row) => [
    ...ruleMutants(document, rule, row),
    ...dropsOf(rule.conditions).map(({ root, at, dropped }) =>
      conditionMutant(document, row, 'drop_condition', `without ${at}: ${conditionText(dropped)}`, root),
    ),
    ...changedLeaves(rule.conditions, document.facts).map(({ kind, description, node }) =>
      // The root of a rule is no leaf, so it remains a root when a leaf inside it changes.
      conditionMutant(document, row, kind, description, node as RootCondition),
    ),
  ]);
}

function ruleMutants(document: TableDocument, rule: Rule, row: number): readonly Mutant[] {
  const { rules } = document;
  const dropped: Mutant = {
    kind: 'drop_rule',
    row,
    ruleIds: [rule.name],
    description: 'without the rule',
    document: { ...document, rules: rules.toSpliced(row, 1) },
  };
  const lower = rules[row + 1];
  if (!lower) return rules.length > 1 ? [dropped] : [];
  const swapped = rules
    .with(row, { ...lower, priority: rule.priority })
    .with(row + 1, { ...rule, priority: lower.priority });
  const swap: Mutant = {
    kind: 'swap_rules',
    row,
    ruleIds: [rule.name, lower.name],
    description: 'in each other’s place',
    document: { ...document, rules: swapped },
  };
  return [dropped, swap];
}

function conditionMutant(
  document: TableDocument,
  row: number,
  kind: MutantKind,
  description: string,
  conditions: RootCondition,
): Mutant {
  const rules = document.rules.map((rule, at) => (at === row ? { ...rule, conditions } : rule));
  const ruleIds = document.rules.slice(row, row + 1).map(({ name }) => name);
  return { kind, row, ruleIds, description, conditions, document: { ...document, rules } };
}

/** A tree with one leaf changed. */
interface ChangedNode {
  readonly node: Condition;
  readonly kind: MutantKind;
  readonly description: string;
}

function changedLeaves(node: Condition, facts: Readonly<Record<string, FactSpec>>): readonly ChangedNode[] {
  const inside = (member: Condition, build: (inner: Condition) => Condition): readonly ChangedNode[] =>
    changedLeaves(member, facts).map((changed) => ({ ...changed, node: build(changed.node) }));
  if ('not' in node) return inside(node.not, (inner) => ({ not: inner }));
  if ('all' in node) {
    return node.all.flatMap((member, at) => inside(member, (inner) => ({ all: node.all.with(at, inner) })));
  }
  if ('any' in node) {
    return node.any.flatMap((member, at) => inside(member, (inner) => ({ any: node.any.with(at, inner) })));
  }
  const spec = facts[node.fact];
  return spec ? [...shifted(node, spec), ...flipped(node)] : [];
}

function shifted({ valueRef: _constant, ...leaf }: Leaf, spec: FactSpec): readonly ChangedNode[] {
  const { value } = leaf;
  if (typeof value !== 'number') return [];
  const step = spec.type === 'integer' ? 1 : decimalStep;
  return [-step, step]
    .map((change) => ({ ...leaf, value: Number((value + change).toFixed(4)) }))
    .filter((changed) => !valueProblem(spec, changed.value))
    .map((changed) => ({ kind: 'shift_number', description: instead(leaf, changed), node: changed }));
}

/** Returns the negated comparison; for inequalities also the one with the cut on the other side. */
function flipped(leaf: Leaf): readonly ChangedNode[] {
  return flips[leaf.operator].map((operator) => {
    const changed = { ...leaf, operator };
    return { kind: 'flip_comparison', description: instead(leaf, changed), node: changed };
  });
}

const instead = (leaf: Leaf, changed: Leaf): string => `${conditionText(changed)} instead of ${conditionText(leaf)}`;

const flips: Readonly<Record<OperatorName, readonly OperatorName[]>> = {
  equal: ['notEqual'],
  notEqual: ['equal'],
  lessThan: ['greaterThanInclusive', 'lessThanInclusive'],
  lessThanInclusive: ['greaterThan', 'lessThan'],
  greaterThan: ['lessThanInclusive', 'greaterThanInclusive'],
  greaterThanInclusive: ['lessThan', 'greaterThan'],
  in: ['notIn'],
  notIn: ['in'],
};
