// What is exported and imported by nobody is found; what anybody takes, under any name, is not.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { unusedExports } from '../../../scripts/check/imports/unused-exports.ts';

const found = (files: Record<string, string>, users: Record<string, string> = {}) =>
  unusedExports(new Map(Object.entries(files)), new Map(Object.entries({ ...files, ...users })));

const three = 'export const one = 1;\nexport async function two() {}\nexport interface Three {}\n';

test('values that nobody imports are found, types are not', () => {
  assert.equal(found({ 'src/a/x.ts': three }), ['src/a/x.ts: nobody imports one', 'src/a/x.ts: nobody imports two']);
});

test('an import under another name, of a type, of all, or at run time takes the value', () => {
  for (const line of [
    "import { one as uno, two } from './x.ts';",
    "import {\n  type one,\n  two,\n} from './x.ts';",
    "import * as all from './x.ts';",
    "const { one, two } = await import('./x.ts');",
  ]) {
    assert.equal(found({ 'src/a/x.ts': three, 'src/a/y.ts': line }), [], line);
  }
});

test('a test that imports is somebody', () => {
  assert.equal(
    found({ 'src/a/x.ts': 'export class One {}' }, { 'tests/x.test.ts': "import { One } from '../src/a/x.ts';" }),
    [],
  );
});

test('a front door is asked for each of its names, and takes what it passes on', () => {
  const files = { 'src/a/x.ts': three, 'src/a/index.ts': "export { one, type Three, two as zwei } from './x.ts';" };
  const user = { 'src/b/y.ts': "import { one } from '../a/index.ts';" };
  assert.equal(found(files, user), ['src/a/index.ts: nobody imports Three', 'src/a/index.ts: nobody imports zwei']);
});

test('an index that passes everything on takes what is taken from it', () => {
  const files = {
    'src/a/engine/index.ts': "export { one, two } from './x.ts';",
    'src/a/index.ts': "export * from './engine/index.ts';",
  };
  const user = { 'src/b/y.ts': "import { one } from '../a/index.ts';" };
  assert.equal(found(files, user), ['src/a/engine/index.ts: nobody imports two']);
});

test.run();
