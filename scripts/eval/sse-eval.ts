// Runs the skill-status pipeline on cases from stdin and writes one output per case to stdout: no database, no clock.

import path from 'node:path';
import { text } from 'node:stream/consumers';
import {
  type EvaluationInput,
  errorClasses,
  evidenceSources,
} from '#assessment/measurement/evidence/engine/evidence.ts';
import { compilePipeline, evaluateStudent } from '#assessment/skill-status/engine/evaluate.ts';
import { toGoldenOutput } from '#assessment/skill-status/engine/golden.ts';
import { jsonValidator } from '#core/platform/pure/json-schema.ts';
import { loadNewestBundle } from '#rules/rulesets/files.ts';

interface Batch {
  readonly cases: readonly { readonly input: EvaluationInput & { readonly caseId: string } }[];
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
/** Golden files carry `expected` and notes beside `input`; they are not read here. */
const batchSchema = {
  type: 'object',
  required: ['cases'],
  properties: { cases: { type: 'array', items: { type: 'object', required: ['input'], properties: { input } } } },
};

const wrongIn = jsonValidator(() => batchSchema);

function parseBatch(json: string): Batch {
  const value: unknown = JSON.parse(json);
  const [error] = wrongIn(value);
  if (error === undefined) return value as Batch;
  const detail = error.params.additionalProperty ?? error.params.allowedValues ?? '';
  throw new Error(`input${error.instancePath} ${error.message ?? 'is not valid'} ${String(detail)}`.trim());
}

try {
  const { cases } = parseBatch(await text(process.stdin));
  const pipeline = compilePipeline(await loadNewestBundle(path.resolve(import.meta.dirname, '../../rules')));
  const outputs = cases.map(({ input: one }) => toGoldenOutput(one.caseId, evaluateStudent(one, pipeline)));
  process.stdout.write(`${JSON.stringify(outputs)}\n`);
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  console.error(`sse:eval: ${message.replaceAll(/\s+/g, ' ')}`);
  process.exitCode = 1;
}
