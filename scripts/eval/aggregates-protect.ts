// Protects counts of one tile from stdin and writes what may be shown of them to stdout: no database, no clock.

import path from 'node:path';
import { text } from 'node:stream/consumers';
import { jsonValidator } from '#core/platform/pure/json-schema.ts';
import { protectTogether } from '#outcomes/aggregates/engine/protect.ts';
import type { SchoolCounts } from '#outcomes/aggregates/engine/units.ts';
import { tileSpace } from '#outcomes/aggregates/releases/spaces/status.ts';
import { aggregateBands } from '#outcomes/aggregates/rules/bands.ts';
import { loadNewestBundle } from '#rules/rulesets/files.ts';

interface Batch {
  readonly cases: readonly { readonly schools: readonly SchoolCounts[] }[];
}

const closed = (properties: Readonly<Record<string, object>>, required = Object.keys(properties)) => ({
  ...{ type: 'object', required, properties, additionalProperties: false },
});

const id = { type: 'string', minLength: 1 };
const count = { type: 'integer', minimum: 0, maximum: 1_000_000 };
/** A band that is left out has nobody. */
const counts = closed(Object.fromEntries(aggregateBands.map((band) => [band, count])), []);
const classCounts = closed({ id, counts });
const schoolCounts = closed({ id, classes: { type: 'array', items: classCounts } });

/** Files of cases carry `name` and `expected` beside `schools`; they are not read here. */
const oneCase = {
  type: 'object',
  required: ['schools'],
  properties: { schools: { type: 'array', items: schoolCounts } },
};

const wrongIn = jsonValidator(() => ({
  type: 'object',
  required: ['cases'],
  properties: { cases: { type: 'array', items: oneCase } },
}));

function parseBatch(json: string): Batch {
  const value: unknown = JSON.parse(json);
  const [error] = wrongIn(value);
  if (error !== undefined) throw new Error(`input${error.instancePath} ${error.message ?? 'is not valid'}`);
  for (const { schools } of (value as Batch).cases) {
    requireDifferent(schools);
    requireDifferent(schools.flatMap(({ classes }) => classes));
  }
  return value as Batch;
}

function requireDifferent(units: readonly { readonly id: string }[]): void {
  const known = new Set<string>();
  for (const { id: one } of units) {
    if (known.has(one)) throw new Error(`input has ${one} twice`);
    known.add(one);
  }
}

try {
  const { cases } = parseBatch(await text(process.stdin));
  const rules = tileSpace.protection(await loadNewestBundle(path.resolve(import.meta.dirname, '../../rules')));
  process.stdout.write(`${JSON.stringify(cases.map(({ schools }) => protectTogether(schools, rules)))}\n`);
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  console.error(`aggregates:protect: ${message.replaceAll(/\s+/g, ' ')}`);
  process.exitCode = 1;
}
