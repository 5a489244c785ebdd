// The check before a decision: facts that do not fit the declared ones are an error, never a silent false.
import { round4 } from '#core/platform/pure/round.ts';
import type { FactSpec, FactValue } from './document.ts';

export type FactProblem = 'missing' | 'foreign' | 'wrong_type' | 'out_of_domain';

/** Facts that do not fit a table; `fact` is the name of the invalid one. */
export class FactError extends Error {
  readonly fact: string;
  readonly problem: FactProblem;

  constructor(table: string, fact: string, problem: FactProblem, value?: unknown) {
    super(
      `${table}: fact ${fact} is ${problem.replaceAll('_', ' ')}${value === undefined ? '' : ` (${String(value)})`}`,
    );
    this.name = 'FactError';
    this.fact = fact;
    this.problem = problem;
  }
}

/** Returns undefined when the value is in the fact's domain. */
export function valueProblem(spec: FactSpec, value: unknown): FactProblem | undefined {
  if (value === undefined) return 'missing';
  if (spec.type === 'boolean') return typeof value === 'boolean' ? undefined : 'wrong_type';
  if (spec.type === 'enum') return enumProblem(spec.values, value);
  if (typeof value !== 'number') return 'wrong_type';
  if (spec.type === 'integer' && !Number.isInteger(value)) return 'wrong_type';
  return value >= spec.min && value <= spec.max ? undefined : 'out_of_domain';
}

/** Whether a number has more decimals than a fact can have: facts are rounded to 4 decimals before they are compared. */
export const isTooFine = (value: unknown): boolean =>
  typeof value === 'number' && Number.isFinite(value) && round4(value) !== value;

function enumProblem(values: readonly string[], value: unknown): FactProblem | undefined {
  if (typeof value !== 'string') return 'wrong_type';
  return values.includes(value) ? undefined : 'out_of_domain';
}

/** Throws a FactError when the facts do not fit the declared ones. */
export function assertFacts(
  table: string,
  specs: Readonly<Record<string, FactSpec>>,
  facts: Readonly<Record<string, FactValue>>,
): void {
  for (const [name, spec] of Object.entries(specs)) {
    const value = Object.hasOwn(facts, name) ? facts[name] : undefined;
    const problem = valueProblem(spec, value);
    if (problem) throw new FactError(table, name, problem, value);
  }
  for (const name in facts) {
    if (!Object.hasOwn(specs, name)) throw new FactError(table, name, 'foreign');
  }
}
