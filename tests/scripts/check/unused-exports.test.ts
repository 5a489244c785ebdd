// Exports that no file imports are found; those that a file imports, under any name, are not.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { unusedExports } from '../../../scripts/check/imports/unused-exports.ts';

const found = (files: Record<string, string>, users: Record<string, string> = {}) =>
  unusedExports(new Map(Object.entries(files)), new Map(Object.entries({ ...files, ...users })));

const three = 'export const one = 1;\nexport async function two() {}\nexport interface Three {}\n';

test('values that no file imports are found, types are not', () => {
  assert.equal(found({ 'src/a/x.ts': three }), ['src/a/x.ts: no file imports one', 'src/a/x.ts: no file imports two']);
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

test('an import of a test counts', () => {
  assert.equal(
    found({ 'src/a/x.ts': 'export class One {}' }, { 'tests/x.test.ts': "import { One } from '../src/a/x.ts';" }),
    [],
  );
});

test('each name of an index must be imported, and an index imports what it re-exports', () => {
  const files = { 'src/a/x.ts': three, 'src/a/index.ts': "export { one, type Three, two as zwei } from './x.ts';" };
  const user = { 'src/b/y.ts': "import { one } from '../a/index.ts';" };
  assert.equal(found(files, user), ['src/a/index.ts: no file imports Three', 'src/a/index.ts: no file imports zwei']);
});

test('an index that re-exports everything imports what is imported from it', () => {
  const files = {
    'src/a/engine/index.ts': "export { one, two } from './x.ts';",
    'src/a/index.ts': "export * from './engine/index.ts';",
  };
  const user = { 'src/b/y.ts': "import { one } from '../a/index.ts';" };
  assert.equal(found(files, user), ['src/a/engine/index.ts: no file imports two']);
});

test.run();
