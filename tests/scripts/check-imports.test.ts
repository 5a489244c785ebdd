// The imports of the repository are in order, and each way of breaking them is noticed.
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { folderOf, importFindings, type Sources } from '../../scripts/imports/findings.ts';
import { exceptions, layers, mostLooseFiles } from '../../scripts/imports/layers.ts';
import { readSources } from '../../scripts/imports/sources.ts';

const own = readSources(path.resolve(import.meta.dirname, '../..'));
const found = (sources: Readonly<Record<string, string>>) => importFindings(new Map(Object.entries(sources)), []);

test('the repository has no findings', () => {
  assert.ok(own.size > 400);
  assert.equal(importFindings(own, exceptions), []);
});

test('every exception says why, and every folder stands on one layer', () => {
  for (const { finding, reason } of exceptions) assert.ok(reason.length >= 8, finding);
  const names = layers.flat();
  const folders = new Set([...own.keys()].map(folderOf).filter((folder) => folder !== 'top'));
  assert.equal([...names].sort(), [...folders].sort());
});

const refused: Readonly<Record<string, [Readonly<Record<string, string>>, RegExp]>> = {
  'an import past a front door': [
    { 'src/measurement/rules.ts': "import { itemBank } from '../content/items/engine/bank.ts';" },
    /goes past src\/content\/index\.ts/,
  ],
  'the same for a type, in several lines': [
    { 'src/teaser/a.ts': "import {\n  type A,\n} from '../measurement/scoring/engine/values.ts';" },
    /goes past src\/measurement\/index\.ts/,
  ],
  'the same where it is loaded late': [
    { 'src/home/a.ts': "const { a } = await import('../demo/seed.ts');" },
    /goes past src\/demo\/index\.ts/,
  ],
  'the same for a door that hands on': [
    { 'src/alerts/index.ts': "export { escalate } from '../error-patterns/escalate.ts';" },
    /goes past/,
  ],
  'the same by who composes the service': [
    { 'src/app.ts': "import { auditRoutes } from './audit/routes.ts';" },
    /goes past/,
  ],
  'the same by a worker': [{ 'workers/a.ts': "import { jobs } from '../src/teaser/starts/jobs.ts';" }, /goes past/],
  'an arrow upwards': [
    { 'src/measurement/a.ts': "import type { Run } from '../skill-status/index.ts';" },
    /points upwards or sideways/,
  ],
  'an arrow upwards of a declaration': [
    { 'src/platform/a.ts': "declare module '../kernel/services.ts' {}" },
    /points upwards or sideways/,
  ],
  'an arrow to who composes the service': [
    { 'src/demo/a.ts': "import { createApp } from '../app.ts';" },
    /points upwards or sideways/,
  ],
  'a cycle between folders': [
    {
      'src/people/a.ts': "import { b } from '../catalogue/index.ts';",
      'src/catalogue/b.ts': "import { a } from '../people/index.ts';",
    },
    /points upwards or sideways/,
  ],
  'files that import each other': [
    {
      'src/people/a.ts': "import { b } from './b.ts';",
      'src/people/b.ts': "import { c } from './classes/c.ts';",
      'src/people/classes/c.ts': "import { a } from '../a.ts';",
    },
    /in a circle: src\/people\/a.ts, src\/people\/b.ts, src\/people\/classes\/c.ts/,
  ],
  'rooms that know each other, if only by a type': [
    {
      'src/people/classes/a.ts': "import { b } from '../accounts/b.ts';",
      'src/people/accounts/c.ts': "import type {\n  D,\n} from '../classes/d.ts';",
    },
    /rooms that know each other: src\/people\/accounts, src\/people\/classes/,
  ],
  'the own front door': [{ 'src/people/users.ts': "import { Organization } from './index.ts';" }, /its own front door/],
  'a folder that stands on no layer': [{ 'src/helpers/a.ts': '' }, /src\/helpers: stands on no layer/],
  'a word of the domain in a name': [{ 'src/platform/a.ts': 'const studentsOf = 1;' }, /speaks of "student"/],
  'a word that has another name': [{ 'src/lms/a.ts': 'const wishOf = 1;' }, /says "wish" for input/],
  'the same in a file name': [{ 'src/lms/vault.ts': '' }, /says "vault" for cipher/],
  'a word of the domain in a file name': [{ 'src/kernel/skill-lock.ts': '' }, /speaks of "skill"/],
  'a crowded room': [
    Object.fromEntries(Array.from({ length: mostLooseFiles + 1 }, (_, at) => [`src/teaser/a${at}.ts`, ''])),
    /13 loose files/,
  ],
};

for (const [name, [sources, finding]] of Object.entries(refused)) {
  test(`is refused: ${name}`, () => {
    assert.ok(
      found(sources).some((line) => finding.test(line)),
      found(sources).join('\n'),
    );
  });
}

test('what goes downwards through a front door is let through, and so are texts and comments', () => {
  const sources: Sources = new Map([
    ['src/measurement/a.ts', "import { banks } from '../content/index.ts';\nimport { db } from '../platform/db.ts';"],
    ['src/measurement/b.ts', "import { a } from './practice/queue.ts';"],
    ['src/measurement/practice/queue.ts', "import type { B } from '../b.ts';"],
    ['src/platform/a.ts', "// A student.\nconst says = 'student';"],
    ['src/main.ts', "import { startWorkers } from '../workers/start.ts';"],
  ]);
  assert.equal(importFindings(sources, []), []);
});

test('an exception that nothing needs is a finding', () => {
  const stale = { finding: 'src/a.ts: goes past', reason: 'once' };
  assert.equal(importFindings(new Map(), [stale]), ['an exception that nothing needs: src/a.ts: goes past']);
});

test.run();
