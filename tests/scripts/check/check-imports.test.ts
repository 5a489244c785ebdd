// The imports of the repository are in order, and each violation is found.
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { folderOf, importFindings } from '../../../scripts/check/imports/findings.ts';
import { exceptions, layers, mostFiles } from '../../../scripts/check/imports/layers.ts';
import { largeFolders } from '../../../scripts/check/imports/sizes.ts';
import { readSources, type Sources } from '../../../scripts/check/imports/sources.ts';

const own = readSources(path.resolve(import.meta.dirname, '../../..'));
const found = (sources: Readonly<Record<string, string>>) => importFindings(new Map(Object.entries(sources)), []);

test('the repository has no findings', () => {
  assert.ok(own.size > 400);
  assert.equal(importFindings(own, exceptions), []);
});

test('every exception has a reason, and every folder is on one layer', () => {
  for (const { finding, reason } of exceptions) assert.ok(reason.length >= 8, finding);
  const names = layers.flat();
  const folders = new Set([...own.keys()].map(folderOf).filter((folder) => folder !== 'top'));
  assert.equal([...names].sort(), [...folders].sort());
});

const refused: Readonly<Record<string, [Readonly<Record<string, string>>, RegExp]>> = {
  'an import that bypasses an index': [
    { 'src/assessment/measurement/rules.ts': "import { itemBank } from '../content/items/engine/bank.ts';" },
    /bypasses src\/assessment\/content\/index\.ts/,
  ],
  'the same for a type, in several lines': [
    { 'src/assessment/teaser/a.ts': "import {\n  type A,\n} from '../measurement/scoring/engine/values.ts';" },
    /bypasses src\/assessment\/measurement\/index\.ts/,
  ],
  'the same where it is loaded late': [
    { 'src/app/home/a.ts': "const { a } = await import('../demo/seed.ts');" },
    /bypasses src\/app\/demo\/index\.ts/,
  ],
  'an import that bypasses an index which re-exports': [
    { 'src/backoffice/alerts/index.ts': "export { escalate } from '#assessment/error-patterns/escalate.ts';" },
    /bypasses/,
  ],
  'the same by who composes the service': [
    { 'src/app/app.ts': "import { auditRoutes } from '#identity/audit/routes.ts';" },
    /bypasses/,
  ],
  'the same by a worker': [{ 'workers/a.ts': "import { jobs } from '#assessment/teaser/starts/jobs.ts';" }, /bypasses/],
  'an engine that takes what is not the engine of another capability': [
    { 'src/assessment/teaser/engine/a.ts': "import { a } from '../../measurement/index.ts';" },
    /bypasses src\/assessment\/measurement\/engine\/index\.ts/,
  ],
  'an engine that reaches the database, through whatever': [
    {
      'src/assessment/teaser/engine/a.ts': "import { b } from '../b.ts';",
      'src/assessment/teaser/b.ts': "import { c } from '#core/platform/c.ts';",
      'src/core/platform/c.ts': "import knex from 'knex';",
    },
    /an engine reaches knex: src\/assessment\/teaser\/engine\/a\.ts → .*b\.ts → .*c\.ts → knex/,
  ],
  'an upward import': [
    { 'src/assessment/measurement/a.ts': "import type { Run } from '../skill-status/index.ts';" },
    /imports upwards or sideways/,
  ],
  'an upward import of a declaration': [
    { 'src/core/platform/a.ts': "declare module '../module/services.ts' {}" },
    /imports upwards or sideways/,
  ],
  'an arrow to who composes the service': [
    { 'src/app/demo/a.ts': "import { createApp } from '../app.ts';" },
    /imports upwards or sideways/,
  ],
  'a cycle between folders': [
    {
      'src/identity/people/a.ts': "import { b } from '#rules/catalogue/index.ts';",
      'src/rules/catalogue/b.ts': "import { a } from '#identity/people/index.ts';",
    },
    /imports upwards or sideways/,
  ],
  'files that import each other, one of them only a type': [
    {
      'src/identity/people/a.ts': "import { b } from './b.ts';",
      'src/identity/people/b.ts': "import type { A } from './a.ts';",
    },
    /in a cycle: src\/identity\/people\/a.ts, src\/identity\/people\/b.ts/,
  ],
  'files that import each other': [
    {
      'src/identity/people/a.ts': "import { b } from './b.ts';",
      'src/identity/people/b.ts': "import { c } from './classes/c.ts';",
      'src/identity/people/classes/c.ts': "import { a } from '../a.ts';",
    },
    /in a cycle: src\/identity\/people\/a.ts, src\/identity\/people\/b.ts, src\/identity\/people\/classes\/c.ts/,
  ],
  'folders that import each other, if only a type': [
    {
      'src/identity/people/classes/a.ts': "import { b } from '../accounts/b.ts';",
      'src/identity/people/accounts/c.ts': "import type {\n  D,\n} from '../classes/d.ts';",
    },
    /folders that import each other: src\/identity\/people\/accounts, src\/identity\/people\/classes/,
  ],
  'its own index': [
    { 'src/identity/people/users.ts': "import { Organization } from './index.ts';" },
    /imports its own people\/index\.ts/,
  ],
  'a folder on no layer': [{ 'src/core/helpers/a.ts': '' }, /src\/core\/helpers: is on no layer/],
  'a word of the domain in a name': [
    { 'src/core/platform/a.ts': 'const studentsOf = 1;' },
    /uses the domain word "student"/,
  ],
  'a retired word': [{ 'src/integrations/lms/a.ts': 'const wishOf = 1;' }, /uses "wish" instead of input/],
  'a retired word in a file name': [{ 'src/integrations/lms/vault.ts': '' }, /uses "vault" instead of cipher/],
  'a word of the domain in a file name': [{ 'src/core/module/skill-lock.ts': '' }, /uses the domain word "skill"/],
};

for (const [name, [sources, finding]] of Object.entries(refused)) {
  test(`is refused: ${name}`, () => {
    assert.ok(
      found(sources).some((line) => finding.test(line)),
      found(sources).join('\n'),
    );
  });
}

test('imports downwards through an index are accepted, and so are texts and comments', () => {
  const sources: Sources = new Map([
    [
      'src/assessment/measurement/a.ts',
      "import { banks } from '../content/index.ts';\nimport { db } from '#core/platform/db.ts';",
    ],
    ['src/assessment/measurement/b.ts', "import { a } from './practice/queue.ts';"],
    ['src/assessment/measurement/practice/queue.ts', "import type { C } from '../c.ts';"],
    ['src/core/platform/a.ts', "// A student.\nconst says = 'student';"],
    ['src/main.ts', "import { startWorkers } from '../workers/start.ts';"],
  ]);
  assert.equal(importFindings(sources, []), []);
});

test('an engine may import types of what it must not load', () => {
  const sources: Sources = new Map([
    ['src/assessment/teaser/engine/a.ts', "import type { Knex } from 'knex';\nimport type { B } from '../b.ts';"],
    ['src/assessment/teaser/b.ts', "import knex from 'knex';"],
  ]);
  assert.equal(importFindings(sources, []), []);
});

test('a folder with many files is reported as a warning', () => {
  const files = Array.from({ length: mostFiles + 1 }, (_, at) => `src/assessment/teaser/a${at}.ts`);
  assert.equal(largeFolders(files), [{ folder: 'src/assessment/teaser', files: 21 }]);
  assert.equal(largeFolders(files.slice(1)), []);
});

test('an exception that is not needed is a finding', () => {
  const stale = { finding: 'src/a.ts: bypasses', reason: 'once' };
  assert.equal(importFindings(new Map(), [stale]), ['an exception that is not needed: src/a.ts: bypasses']);
});

test.run();
