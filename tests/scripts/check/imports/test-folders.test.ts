// Tests are under the path of the code that they test, and each violation is found.
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { crossCutting, readTree, testFolderFindings } from '../../../../scripts/check/imports/test-folders.ts';

const inListed = Object.keys(crossCutting).map((folder) => `tests/${folder}/some.test.ts`);
const found = (...files: string[]) => testFolderFindings([...files, ...inListed]);

test('the repository has no findings', () => {
  const files = readTree(path.resolve(import.meta.dirname, '../../../..'));
  assert.ok(files.filter((file) => file.endsWith('.test.ts')).length > 400);
  assert.equal(testFolderFindings(files), []);
});

test('a folder of tests without one of the code is refused, however deep', () => {
  const code = 'src/assessment/teaser/engine/score.ts';
  assert.equal(found(code, 'tests/assessment/teaser/a.test.ts', 'tests/assessment/teaser/engine/b.test.ts'), []);
  assert.equal(found(code, 'tests/assessment/teaser/faults/a.test.ts'), [
    'tests/assessment/teaser/faults: no folder of the code has this path',
  ]);
  assert.equal(found(code, 'tests/engine/a.test.ts'), ['tests/engine: no folder of the code has this path']);
  assert.equal(found(code, 'tests/a.test.ts'), ['tests: no folder of the code has this path']);
});

test('tests of folders beside src keep the name of the folder', () => {
  assert.equal(found('workers/steps/a.ts', 'tests/workers/steps/a.test.ts'), []);
  assert.equal(found('src/steps/a.ts', 'tests/workers/steps/a.test.ts'), [
    'tests/workers/steps: no folder of the code has this path',
  ]);
});

test('a listed folder without files is a finding', () => {
  assert.equal(
    testFolderFindings(inListed.slice(1)).map((line) => line.slice(0, 40)),
    ['tests/contract: a listed folder without files (scripts'.slice(0, 40)],
  );
});

test.run();
