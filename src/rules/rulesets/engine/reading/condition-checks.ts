// Validates a condition tree strictly; json-rules-engine itself is lenient.
import {
  type Constant,
  type FactSpec,
  type FactValue,
  type OperatorName,
  operatorNames,
} from '../document/document.ts';
import { isTooFine, valueProblem } from '../document/facts.ts';
import type { ArgsOf, IssueOf } from '../document/finding-texts.ts';
import { errorFinding, type Finding, type FindingCode } from '../document/findings.ts';
import { tableLimits } from '../document/table-limits.ts';

export interface ConditionContext {
  /** Name of the rule or constraint in findings. */
  readonly subject: string;
  readonly facts: Readonly<Record<string, FactSpec>>;
  readonly constants: Readonly<Record<string, Constant>>;
}

const comparing: readonly OperatorName[] = ['lessThan', 'lessThanInclusive', 'greaterThan', 'greaterThanInclusive'];
const branches = ['all', 'any', 'not'] as const;

/**
 * Returns the findings of the tree below `node`; `at` is its path, such as `all.1`. The caller checks an empty root
 * `all`.
 */
export function conditionFindings(node: unknown, context: ConditionContext, at = ''): Finding[] {
  const path = at || 'the root';
  const refuse = refusal(context, path);
  if (!isObject(node)) return [refuse('SCHEMA', 'condition_no_object', {})];
  const found = branches.filter((branch) => Object.hasOwn(node, branch));
  const [branch] = found;
  if (!branch) return at ? leafFindings(node, context, path) : [refuse('SCHEMA', 'condition_no_branch', {})];
  if (Object.hasOwn(node, 'priority')) return [refuse('PRIORITY', 'on_condition', {})];
  const foreign = Object.keys(node).filter((key) => key !== branch);
  if (foreign.length > 0) return [refuse('SCHEMA', 'unknown_property', { properties: foreign })];
  return memberFindings(node[branch], branch, context, at);
}

function memberFindings(members: unknown, branch: string, context: ConditionContext, at: string): Finding[] {
  const here = at ? `${at}.${branch}` : branch;
  if (branch === 'not') return conditionFindings(members, context, here);
  const refuse = refusal(context, here);
  if (!Array.isArray(members)) return [refuse('SCHEMA', 'condition_no_list', {})];
  if (members.length === 0 && branch === 'any') return [refuse('SCHEMA', 'empty_any', {})];
  if (members.length === 0 && at) return [refuse('SCHEMA', 'empty_list', {})];
  return members.flatMap((member, index) => conditionFindings(member, context, `${here}.${index}`));
}

function leafFindings(leaf: Record<string, unknown>, context: ConditionContext, path: string): Finding[] {
  const refuse = refusal(context, path);
  if (Object.hasOwn(leaf, 'priority')) return [refuse('PRIORITY', 'on_leaf', {})];
  if (Object.hasOwn(leaf, 'path')) return [refuse('FACT', 'path_not_allowed', {})];
  const foreign = Object.keys(leaf).filter((key) => !['fact', 'operator', 'value', 'valueRef'].includes(key));
  if (foreign.length > 0) return [refuse('SCHEMA', 'unknown_property', { properties: foreign })];
  const { fact, operator, value } = leaf;
  const spec = typeof fact === 'string' && Object.hasOwn(context.facts, fact) ? context.facts[fact] : undefined;
  if (!spec) return [refuse('FACT', 'undeclared', { fact: String(fact) })];
  const name = operatorNames.find((known) => known === operator);
  if (!name) return [refuse('OPERATOR', 'unknown', { operator: String(operator) })];
  if (isObject(value)) return [refuse('FACT', 'no_literal', {})];
  return [...operandFindings(name, spec, value, refuse), ...referenceFindings(leaf, context, refuse)];
}

function operandFindings(operator: OperatorName, spec: FactSpec, value: unknown, refuse: Refusal): Finding[] {
  const list = operator === 'in' || operator === 'notIn';
  if (comparing.includes(operator) && (spec.type === 'enum' || spec.type === 'boolean')) {
    return [refuse('OPERATOR', 'other_type', { operator, type: spec.type })];
  }
  if (list !== Array.isArray(value)) return [refuse('OPERATOR', list ? 'takes_list' : 'takes_one', { operator })];
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (values.length === 0) return [refuse('OPERATOR', 'empty_list', { operator })];
  if (values.length > tableLimits.values) {
    return [refuse('SCHEMA', 'too_many_values', { operator, limit: tableLimits.values })];
  }
  if (new Set(values).size < values.length) return [refuse('SCHEMA', 'value_twice', { operator })];
  return values.flatMap((one) => {
    const shown = scalarOf(one);
    if (valueProblem(spec, one)) return [refuse('FACT', 'out_of_domain', { value: shown })];
    return isTooFine(one) ? [refuse('FACT', 'value_too_fine', { value: shown })] : [];
  });
}

function referenceFindings(leaf: Record<string, unknown>, context: ConditionContext, refuse: Refusal): Finding[] {
  if (!Object.hasOwn(leaf, 'valueRef')) return [];
  const id = leaf.valueRef;
  const constant = typeof id === 'string' && Object.hasOwn(context.constants, id) ? context.constants[id] : undefined;
  if (!constant) return [refuse('MAGIC_NUMBER', 'unknown_constant', { constant: String(id) })];
  if (constant.value === (leaf.value as FactValue)) return [];
  const literal = scalarOf(leaf.value);
  return [refuse('MAGIC_NUMBER', 'other_value', { literal, constant: String(id), value: constant.value })];
}

/** A value as the document holds it; a list or nothing at all, which no fact takes, as its text. */
const scalarOf = (value: unknown): FactValue | null =>
  typeof value === 'number' || typeof value === 'string' || typeof value === 'boolean'
    ? value
    : value === undefined || value === null
      ? null
      : JSON.stringify(value);

type Refusal = <Code extends FindingCode, Issue extends IssueOf<Code>>(
  code: Code,
  issue: Issue,
  args: Omit<ArgsOf<Code, Issue>, 'path'>,
) => Finding;

const refusal =
  ({ subject }: ConditionContext, path: string): Refusal =>
  (code, issue, args) =>
    errorFinding(code, issue, { path, ...args } as ArgsOf<typeof code, typeof issue>, subject);

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
