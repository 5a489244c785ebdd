// Evaluates the suppression of counts of one tile: returns for each case what may be shown.
import { protectTogether } from '#outcomes/aggregates/engine/protect.ts';
import type { SchoolCounts } from '#outcomes/aggregates/engine/units.ts';
import { tileStatistic } from '#outcomes/aggregates/releases/statistics/status.ts';
import { aggregateBands } from '#outcomes/aggregates/rules/bands.ts';
import { type Batch, batchSchema, inputReader, newestRules } from './input.ts';

const closed = (properties: Readonly<Record<string, object>>, required = Object.keys(properties)) => ({
  type: 'object',
  required,
  properties,
  additionalProperties: false,
});

const id = { type: 'string', minLength: 1 };
const count = { type: 'integer', minimum: 0, maximum: 1_000_000 };
/** An omitted band has no students. */
const counts = closed(Object.fromEntries(aggregateBands.map((band) => [band, count])), []);
const classCounts = closed({ id, counts });
const schoolCounts = closed({ id, classes: { type: 'array', items: classCounts } });

/** Files of cases contain `name` and `expected` beside `schools`; they are ignored. */
const oneCase = {
  type: 'object',
  required: ['schools'],
  properties: { schools: { type: 'array', items: schoolCounts } },
};

const read = inputReader<Batch<{ readonly schools: readonly SchoolCounts[] }>>(batchSchema(oneCase));

export async function evaluate(input: unknown) {
  const { cases } = read(input);
  for (const { schools } of cases) {
    requireDifferent(schools);
    requireDifferent(schools.flatMap(({ classes }) => classes));
  }
  const rules = tileStatistic.protection(await newestRules());
  return cases.map(({ schools }) => protectTogether(schools, rules));
}

function requireDifferent(units: readonly { readonly id: string }[]): void {
  const known = new Set<string>();
  for (const { id: one } of units) {
    if (known.has(one)) throw new Error(`input has ${one} twice`);
    known.add(one);
  }
}
