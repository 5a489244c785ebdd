// Evaluates the estimator of abilities: theta and standard error of given answers, not rounded. Takes {"cases": [{"b":
// number[], "u": (0|1)[], "prior"?: {"mean", "sd"}}]}, returns [{"theta", "se"}, …]. Refuses difficulties and priors for which
// the estimator was not checked.
import {
  difficultyRange,
  estimateAbility,
  priorRange,
  standardPrior,
} from '#assessment/measurement/scoring/engine/eap.ts';
import { type Batch, batchSchema, inputReader } from './input.ts';

interface Case {
  readonly b: readonly number[];
  readonly u: readonly (0 | 1)[];
  readonly prior?: { readonly mean: number; readonly sd: number };
}

const within = ({ min, max }: { min: number; max: number }) => ({ type: 'number', minimum: min, maximum: max });
const oneCase = {
  type: 'object',
  required: ['b', 'u'],
  additionalProperties: false,
  properties: {
    b: { type: 'array', items: within(difficultyRange) },
    u: { type: 'array', items: { enum: [0, 1] } },
    prior: {
      type: 'object',
      required: ['mean', 'sd'],
      additionalProperties: false,
      properties: { mean: within(priorRange.mean), sd: within(priorRange.sd) },
    },
  },
};

const read = inputReader<Batch<Case>>({ ...batchSchema(oneCase), additionalProperties: false });

export const evaluate = (input: unknown) => read(input).cases.map(abilityOf);

function abilityOf({ b, u, prior = standardPrior }: Case, index: number) {
  if (b.length !== u.length) throw new Error(`case ${index}: b and u differ in length`);
  const itemIdOf = (at: number) => String(at).padStart(6, '0');
  return estimateAbility(
    b.map((difficultyLogit, at) => ({ itemId: itemIdOf(at), difficultyLogit, correct: u[at] === 1 })),
    prior,
  );
}
