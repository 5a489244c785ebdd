// Validates a condition tree strictly; json-rules-engine itself is lenient.
import {
  type Constant,
  type FactSpec,
  type FactValue,
  type OperatorName,
  operatorNames,
} from '../document/document.ts';
import { isTooFine, tooFine, valueProblem } from '../document/facts.ts';
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
  if (!isObject(node)) return [refuse('SCHEMA', 'must be an object')];
  const found = branches.filter((branch) => Object.hasOwn(node, branch));
  const [branch] = found;
  if (!branch) return at ? leafFindings(node, context, path) : [refuse('SCHEMA', 'must be all, any or not')];
  if (Object.hasOwn(node, 'priority')) return [refuse('PRIORITY', 'a condition has no priority')];
  const foreign = Object.keys(node).filter((key) => key !== branch);
  if (foreign.length > 0) return [refuse('SCHEMA', `unknown property ${foreign.join(', ')}`)];
  return memberFindings(node[branch], branch, context, at);
}

function memberFindings(members: unknown, branch: string, context: ConditionContext, at: string): Finding[] {
  const here = at ? `${at}.${branch}` : branch;
  if (branch === 'not') return conditionFindings(members, context, here);
  const refuse = refusal(context, here);
  if (!Array.isArray(members)) return [refuse('SCHEMA', 'must be a list')];
  if (members.length === 0 && branch === 'any') return [refuse('SCHEMA', 'is empty, which the library takes for true')];
  if (members.length === 0 && at) return [refuse('SCHEMA', 'is empty')];
  return members.flatMap((member, index) => conditionFindings(member, context, `${here}.${index}`));
}

function leafFindings(leaf: Record<string, unknown>, context: ConditionContext, path: string): Finding[] {
  const refuse = refusal(context, path);
  if (Object.hasOwn(leaf, 'priority')) return [refuse('PRIORITY', 'a leaf has no priority')];
  if (Object.hasOwn(leaf, 'path')) return [refuse('FACT', 'path is not allowed: facts are plain values')];
  const foreign = Object.keys(leaf).filter((key) => !['fact', 'operator', 'value', 'valueRef'].includes(key));
  if (foreign.length > 0) return [refuse('SCHEMA', `unknown property ${foreign.join(', ')}`)];
  const { fact, operator, value } = leaf;
  const spec = typeof fact === 'string' && Object.hasOwn(context.facts, fact) ? context.facts[fact] : undefined;
  if (!spec) return [refuse('FACT', `fact ${String(fact)} is not declared`)];
  const name = operatorNames.find((known) => known === operator);
  if (!name) return [refuse('OPERATOR', `unknown operator ${String(operator)}`)];
  if (isObject(value)) return [refuse('FACT', 'the value must be a literal, not another fact')];
  return [...operandFindings(name, spec, value, refuse), ...referenceFindings(leaf, context, refuse)];
}

function operandFindings(operator: OperatorName, spec: FactSpec, value: unknown, refuse: Refusal): Finding[] {
  const list = operator === 'in' || operator === 'notIn';
  if (comparing.includes(operator) && (spec.type === 'enum' || spec.type === 'boolean')) {
    return [refuse('OPERATOR', `${operator} does not fit a fact of type ${spec.type}`)];
  }
  if (list !== Array.isArray(value)) return [refuse('OPERATOR', `${operator} takes ${list ? 'a list' : 'one value'}`)];
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (values.length === 0) return [refuse('OPERATOR', `${operator} has an empty list`)];
  if (values.length > tableLimits.values) {
    return [refuse('SCHEMA', `${operator} lists more than ${tableLimits.values} values`)];
  }
  if (new Set(values).size < values.length) return [refuse('SCHEMA', `${operator} lists a value twice`)];
  return values.flatMap((one) => {
    const shown = JSON.stringify(one) ?? 'nothing';
    if (valueProblem(spec, one)) return [refuse('FACT', `${shown} is not in the domain of the fact`)];
    return isTooFine(one) ? [refuse('FACT', `${shown} ${tooFine}`)] : [];
  });
}

function referenceFindings(leaf: Record<string, unknown>, context: ConditionContext, refuse: Refusal): Finding[] {
  if (!Object.hasOwn(leaf, 'valueRef')) return [];
  const id = leaf.valueRef;
  const constant = typeof id === 'string' && Object.hasOwn(context.constants, id) ? context.constants[id] : undefined;
  if (!constant) return [refuse('MAGIC_NUMBER', `valueRef ${String(id)} names no constant of the document`)];
  if (constant.value === (leaf.value as FactValue)) return [];
  return [refuse('MAGIC_NUMBER', `the literal ${String(leaf.value)} is not ${id} (${String(constant.value)})`)];
}

type Refusal = (code: FindingCode, message: string) => Finding;

const refusal =
  ({ subject }: ConditionContext, path: string): Refusal =>
  (code, message) =>
    errorFinding(code, `${path}: ${message}`, subject);

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
