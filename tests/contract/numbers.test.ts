// Every number that a body may hold has a least and a greatest value, or a check of its own that says what it may be.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { allRoutes } from '#app/app.ts';

type Schema = Readonly<Record<string, unknown>>;

interface NumberField {
  readonly path: string;
  readonly schema: Schema;
}

/** Checked by what they stand for: facts by the table’s fact schema, cuts by the document’s, a choice by the options served. */
const checkedElsewhere = new Set([
  'createBenchmarkProfile.cuts.approaching',
  'createBenchmarkProfile.cuts.below',
  'createBenchmarkProfile.cuts.meets',
  'finishTeaser.responses[].selectedOptionIndex',
  'importRuleSets.documents[].cases[].facts{}',
  'tryRuleChange.facts{}',
  'tryRuleVersion.facts{}',
  'updateBenchmarkProfile.cuts.approaching',
  'updateBenchmarkProfile.cuts.below',
  'updateBenchmarkProfile.cuts.meets',
]);

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const membersOf = (value: unknown): [string, Schema][] =>
  Object.entries(isSchema(value) ? value : {}).flatMap(([key, one]) =>
    isSchema(one) ? [[key, one] as const] : [],
  ) as [string, Schema][];

function numbersIn(schema: Schema, path: string): NumberField[] {
  const types = [schema.type].flat();
  const own = types.some((type) => type === 'integer' || type === 'number') ? [{ path, schema }] : [];
  const alternatives = ['anyOf', 'oneOf', 'allOf'].flatMap((name) => (schema[name] as Schema[] | undefined) ?? []);
  return [
    ...own,
    ...membersOf(schema.properties).flatMap(([name, one]) => numbersIn(one, `${path}.${name}`)),
    ...membersOf(schema.patternProperties).flatMap(([, one]) => numbersIn(one, `${path}{}`)),
    ...(isSchema(schema.items) ? numbersIn(schema.items, `${path}[]`) : []),
    ...alternatives.flatMap((one) => numbersIn(one, path)),
  ];
}

const fields = allRoutes().flatMap(({ operation, body }) =>
  body === undefined ? [] : numbersIn(body as unknown as Schema, operation),
);
const isBounded = ({ schema }: NumberField): boolean =>
  'const' in schema || 'enum' in schema || (typeof schema.minimum === 'number' && typeof schema.maximum === 'number');

test('numbers of bodies have both ends', () => {
  const open = fields.filter((field) => !isBounded(field)).map(({ path }) => path);
  assert.equal(
    [...new Set(open)].filter((path) => !checkedElsewhere.has(path)),
    [],
  );
});

test('every exception is a number without ends', () => {
  const open = new Set(fields.filter((field) => !isBounded(field)).map(({ path }) => path));
  assert.equal(
    [...checkedElsewhere].filter((path) => !open.has(path)),
    [],
  );
  assert.ok(fields.length > 50, String(fields.length));
});

test.run();
