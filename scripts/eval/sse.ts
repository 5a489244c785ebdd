// Evaluates the skill-status pipeline for each case.
import {
  type EvaluationInput,
  errorClasses,
  evidenceSources,
} from '#assessment/measurement/evidence/engine/evidence.ts';
import { compilePipeline, evaluateStudent } from '#assessment/skill-status/engine/evaluate.ts';
import { toGoldenOutput } from '#assessment/skill-status/engine/golden.ts';
import { type Batch, batchSchema, inputReader, newestRules } from './input.ts';

interface Case {
  readonly input: EvaluationInput & { readonly caseId: string };
}

const word = { type: 'string', minLength: 1 };
const flag = { type: 'boolean' };
const instant = { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}T[0-9:.]+(Z|[+-]\\d{2}:\\d{2})$' };
const strict = (properties: Record<string, unknown>) => ({
  type: 'object',
  additionalProperties: false,
  required: Object.keys(properties),
  properties,
});
const session = strict({
  sessionId: word,
  source: { enum: evidenceSources },
  endedAt: instant,
  analysable: flag,
});
const response = strict({
  sessionId: word,
  itemId: word,
  subSkillCode: word,
  analysable: flag,
  answered: flag,
  attempt: { enum: ['first', 'repeat'] },
  correct: flag,
  support: { enum: ['none', 'auto_support'] },
  speed: { enum: ['normal', 'slow'] },
  errorClass: { enum: errorClasses },
  microPattern: { type: ['string', 'null'] },
  behaviourMark: flag,
});
const input = strict({
  caseId: word,
  grade: { type: 'integer', minimum: 1, maximum: 4 },
  asOf: instant,
  contextReviewActive: flag,
  sessions: { type: 'array', items: session },
  responses: { type: 'array', items: response },
});
/** Golden files contain `expected` and notes beside `input`; they are ignored. */
const oneCase = { type: 'object', required: ['input'], properties: { input } };

const read = inputReader<Batch<Case>>(batchSchema(oneCase), 'additionalProperty', 'allowedValues');

export async function evaluate(given: unknown) {
  const { cases } = read(given);
  const pipeline = compilePipeline(await newestRules());
  return cases.map(({ input: one }) => toGoldenOutput(one.caseId, evaluateStudent(one, pipeline)));
}
