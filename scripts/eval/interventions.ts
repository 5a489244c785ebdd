// Evaluates cases of interventions: each by the engine of its kind.
import { type Batch, batchSchema, inputReader, newestRules } from './input.ts';
import { compileEngines } from './interventions/engines.ts';
import { kinds } from './interventions/kinds.ts';

/** Golden files contain `name` and `expected` beside `input`; they are ignored. */
const oneCase = {
  type: 'object',
  required: ['kind', 'input'],
  properties: { kind: { enum: Object.keys(kinds) }, input: { type: 'object' } },
};

const read = inputReader<Batch<{ readonly kind: string; readonly input: object }>>(
  batchSchema(oneCase),
  'allowedValues',
);

export async function evaluate(given: unknown) {
  const { cases } = read(given);
  const engines = compileEngines(await newestRules());
  return cases.map(({ kind, input }) => kinds[kind]?.(input as never, engines));
}
