// Runs the engines of interventions on cases from stdin and writes one output per case to stdout: no database, no clock.

import path from 'node:path';
import { text } from 'node:stream/consumers';
import { jsonValidator } from '#core/platform/pure/json-schema.ts';
import { loadNewestBundle } from '#rules/rulesets/files.ts';
import { compileEngines, kinds } from './interventions/kinds.ts';

interface Batch {
  readonly cases: readonly { readonly kind: string; readonly input: object }[];
}

/** Golden files carry `name` and `expected` beside `input`; they are not read here. */
const batchSchema = {
  type: 'object',
  required: ['cases'],
  properties: {
    cases: {
      type: 'array',
      items: {
        type: 'object',
        required: ['kind', 'input'],
        properties: { kind: { enum: Object.keys(kinds) }, input: { type: 'object' } },
      },
    },
  },
};

const wrongIn = jsonValidator(() => batchSchema);

function parseBatch(json: string): Batch {
  const value: unknown = JSON.parse(json);
  const [error] = wrongIn(value);
  if (error === undefined) return value as Batch;
  const detail = error.params.allowedValues ?? '';
  throw new Error(`input${error.instancePath} ${error.message ?? 'is not valid'} ${String(detail)}`.trim());
}

try {
  const { cases } = parseBatch(await text(process.stdin));
  const engines = compileEngines(await loadNewestBundle(path.resolve(import.meta.dirname, '../../rules')));
  const outputs = cases.map(({ kind, input }) => kinds[kind]?.(input as never, engines));
  process.stdout.write(`${JSON.stringify(outputs)}\n`);
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  console.error(`interventions:eval: ${message.replaceAll(/\s+/g, ' ')}`);
  process.exitCode = 1;
}
