// `npm run --silent scoring:eap`: theta and standard error of given answers, from stdin to stdout, not rounded.
// Reads {"cases": [{"b": number[], "u": (0|1)[], "prior"?: {"mean", "sd"}}]}, writes [{"theta", "se"}, …].
import { text } from 'node:stream/consumers';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { estimateAbility, priorRange, standardPrior } from '../src/measurement/scoring/engine/eap.ts';

interface Case {
  readonly b: readonly number[];
  readonly u: readonly (0 | 1)[];
  readonly prior?: { readonly mean: number; readonly sd: number };
}

const within = ({ min, max }: { min: number; max: number }) => ({ type: 'number', minimum: min, maximum: max });
const validate = new Ajv2020({ strict: false }).compile<{ cases: Case[] }>({
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
});

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
  if (!validate(input)) throw new Error(`input${validate.errors?.[0]?.instancePath} ${validate.errors?.[0]?.message}`);
  process.stdout.write(`${JSON.stringify(input.cases.map(abilityOf))}\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exit(1);
}
