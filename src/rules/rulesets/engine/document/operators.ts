// json-rules-engine's own Operator objects: a leaf is decided by the library, here and in the reference engine alike.
import { Engine, type Operator } from 'json-rules-engine';
import { type FactValue, type Leaf, type OperatorName, operatorNames } from './document.ts';

/** The parts of the library that work but are missing in its type declarations. */
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

/** Whether one comparison holds for one value of its fact. */
export function leafHolds(leaf: Leaf, actual: FactValue): boolean {
  const operator = operators.get(leaf.operator);
  if (!operator) throw new Error(`unknown operator ${leaf.operator}`);
  return operator.evaluate(actual, leaf.value);
}
