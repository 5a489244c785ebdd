// `npm run --silent scoring:eap`: theta and standard error of given answers, from stdin to stdout, not rounded.
// Reads {"cases": [{"b": number[], "u": (0|1)[], "prior"?: {"mean", "sd"}}]}, writes [{"theta", "se"}, …].
import { text } from 'node:stream/consumers';
import { estimateAbility, priorRange, standardPrior } from '#assessment/measurement/scoring/engine/eap.ts';
import { jsonValidator } from '#core/platform/pure/json-schema.ts';

interface Case {
  readonly b: readonly number[];
  readonly u: readonly (0 | 1)[];
  readonly prior?: { readonly mean: number; readonly sd: number };
}

const within = ({ min, max }: { min: number; max: number }) => ({ type: 'number', minimum: min, maximum: max });
const wrongIn = jsonValidator(() => ({
  type: 'object',
  required: ['cases'],
  additionalProperties: false,
  properties: {
    cases: {
      type: 'array',
      items: {
        type: 'object',
        required: ['b', 'u'],
        additionalProperties: false,
        properties: {
          b: { type: 'array', items: { type: 'number' } },
          u: { type: 'array', items: { enum: [0, 1] } },
          prior: {
            type: 'object',
            required: ['mean', 'sd'],
            additionalProperties: false,
            properties: { mean: within(priorRange.mean), sd: within(priorRange.sd) },
          },
        },
      },
    },
  },
}));

function abilityOf({ b, u, prior = standardPrior }: Case, index: number) {
  if (b.length !== u.length) throw new Error(`case ${index}: b and u differ in length`);
  const place = (at: number) => String(at).padStart(6, '0');
  return estimateAbility(
    b.map((difficultyLogit, at) => ({ itemId: place(at), difficultyLogit, correct: u[at] === 1 })),
    prior,
  );
}

try {
  const input: unknown = JSON.parse(await text(process.stdin));
  const [error] = wrongIn(input);
  if (error) throw new Error(`input${error.instancePath} ${error.message}`);
  const { cases } = input as { readonly cases: readonly Case[] };
  process.stdout.write(`${JSON.stringify(cases.map(abilityOf))}\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exit(1);
}
