// Tests lie under the path of the code that they test, and each way of leaving it is noticed.
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { readTree, testRoomFindings, walks } from '../../../../scripts/check/imports/test-rooms.ts';

const inWalks = Object.keys(walks).map((walk) => `tests/${walk}/some.test.ts`);
const found = (...files: string[]) => testRoomFindings([...files, ...inWalks]);

test('the repository has no findings', () => {
  const files = readTree(path.resolve(import.meta.dirname, '../../../..'));
  assert.ok(files.filter((file) => file.endsWith('.test.ts')).length > 400);
  assert.equal(testRoomFindings(files), []);
});

test('a room of tests without one of the code is refused, however deep', () => {
  const code = 'src/assessment/teaser/engine/score.ts';
  assert.equal(found(code, 'tests/assessment/teaser/a.test.ts', 'tests/assessment/teaser/engine/b.test.ts'), []);
  assert.equal(found(code, 'tests/assessment/teaser/faults/a.test.ts'), [
    'tests/assessment/teaser/faults: no folder of the code has this path',
  ]);
  assert.equal(found(code, 'tests/engine/a.test.ts'), ['tests/engine: no folder of the code has this path']);
  assert.equal(found(code, 'tests/a.test.ts'), ['tests: no folder of the code has this path']);
});

test('what lies beside the source is named with its folder', () => {
  assert.equal(found('workers/steps/a.ts', 'tests/workers/steps/a.test.ts'), []);
  assert.equal(found('src/steps/a.ts', 'tests/workers/steps/a.test.ts'), [
    'tests/workers/steps: no folder of the code has this path',
  ]);
});

test('a walk that has gone leaves the list', () => {
  assert.equal(
    testRoomFindings(inWalks.slice(1)).map((line) => line.slice(0, 40)),
    ['tests/contract: a walk without files (scripts'.slice(0, 40)],
  );
});

test.run();
