// The service compiles a schema on first use without checking it; here every schema is checked.
import fs from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { TSchema } from 'typebox';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { allRoutes } from '#app/app.ts';
import { BankFile } from '#assessment/content/items/engine/bank-schema.ts';
import { Exceptions, ProperNouns, SecondReadings } from '#assessment/content/items/engine/checks/word-lists.ts';
import { ReviewFile } from '#assessment/content/items/engine/review.ts';
import { SourceItem } from '#assessment/content/items/engine/source.ts';
import { PassageFile } from '#assessment/content/passages/engine/passage-schema.ts';
import { TeaserItemsFile } from '#assessment/content/teaser/engine/items.ts';
import { checkJson, checkTextValues } from '#core/http/checks/validation.ts';
import { sections } from '../../../rules/rulesets/document-schemas.ts';

const metaSchema = new Ajv2020();
const plain = (schema: TSchema): object => JSON.parse(JSON.stringify(schema));
const findings = (schema: TSchema): string =>
  metaSchema.validateSchema(plain(schema)) === true ? '' : metaSchema.errorsText(metaSchema.errors);

const schemas = allRoutes().flatMap((route) => [
  ...(['params', 'query', 'body'] as const).flatMap((part) => {
    const schema = route[part];
    return schema
      ? [{ at: `${route.operation} ${part}`, schema, check: part === 'body' ? checkJson : checkTextValues }]
      : [];
  }),
  ...Object.entries(route.answers)
    .filter(([status]) => status !== '204')
    .map(([status, schema]) => ({ at: `${route.operation} ${status}`, schema, check: checkJson })),
]);

test('an invalid schema is found', () => {
  assert.match(findings({ type: 'objekt' } as TSchema), 'type');
  assert.throws(() => checkJson({ type: 'object', unknownWord: 1 } as TSchema)({}), /unknownWord/);
});

test(`each of the ${schemas.length} schemas of routes is a schema, and compiles`, () => {
  const wrong = schemas.flatMap(({ at, schema, check }) => {
    try {
      check(schema)({});
      return findings(schema) === '' ? [] : [`${at}: ${findings(schema)}`];
    } catch (error) {
      return [`${at}: ${String(error)}`];
    }
  });
  assert.equal(wrong, []);
});

test('each schema of a value document is valid', () => {
  const wrong = Object.entries(sections).flatMap(([name, properties]) => {
    const schema = { type: 'object', properties } as unknown as TSchema;
    return findings(schema) === '' ? [] : [`${name}: ${findings(schema)}`];
  });
  assert.equal(wrong, []);
});

const contentFiles = {
  BankFile,
  Exceptions,
  PassageFile,
  ProperNouns,
  ReviewFile,
  SecondReadings,
  SourceItem,
  TeaserItemsFile,
};

test('each schema of a content file is valid', () => {
  const wrong = Object.entries(contentFiles).flatMap(([name, schema]) => {
    const found = findings(schema);
    return found === '' ? [] : [`${name}: ${found}`];
  });
  assert.equal(wrong, []);
});

test('one instance of ajv is created', () => {
  const makers = ['src', 'workers', 'scripts'].flatMap((dir) =>
    fs
      .readdirSync(dir, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && /\bnew Ajv/.test(fs.readFileSync(`${dir}/${name}`, 'utf8')))
      .map((name) => `${dir}/${name}`),
  );
  assert.equal(makers, ['src/core/platform/pure/json-schema.ts']);
});

test.run();
