// The Operator objects of json-rules-engine, which evaluate every leaf here and in the reference engine.
import { Engine, type Operator } from 'json-rules-engine';
import { type FactValue, type Leaf, type OperatorName, operatorNames } from './document.ts';

/** Parts of the library that its type declarations omit. */
interface EvaluatingOperator extends Operator {
  evaluate(factValue: unknown, compareTo: unknown): boolean;
}
interface EngineInternals {
  readonly operators: { get(name: string): EvaluatingOperator | null };
}

const operators = new Map<OperatorName, EvaluatingOperator>(readOperators());

function readOperators(): [OperatorName, EvaluatingOperator][] {
  const engine = new Engine([]) as unknown as EngineInternals;
  return operatorNames.map((name) => {
    const operator = engine.operators.get(name);
    if (!operator) throw new Error(`json-rules-engine has no operator ${name}`);
    return [name, operator];
  });
}

/** Returns whether a comparison holds for a value of its fact. */
export function leafHolds(leaf: Leaf, actual: FactValue): boolean {
  const operator = operators.get(leaf.operator);
  if (!operator) throw new Error(`unknown operator ${leaf.operator}`);
  return operator.evaluate(actual, leaf.value);
}
