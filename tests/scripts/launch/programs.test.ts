// A test that needs a program which a machine may lack is skipped with the reason; it does not fail.
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { crossCutting } from '../../../scripts/check/imports/test-folders.ts';

const root = path.resolve(import.meta.dirname, '../..');
const started = /\b(?:spawn|spawnSync|execFile|execFileSync)\(\s*'([^']+)'/g;

test('programs other than Node are run only in folders whose tests name what is skipped without them', () => {
  const files = fs.readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  const texts = files.map((file) => ({ file, text: fs.readFileSync(path.join(root, file), 'utf8') }));
  const folderOf = (file: string) => {
    const [first = '', second] = file.split(path.sep);
    return Object.hasOwn(crossCutting, first) ? first : `${first}/${second}`;
  };
  const naming = new Set(texts.filter(({ text }) => text.includes('skipped(')).map(({ file }) => folderOf(file)));
  const found = texts.flatMap(({ file, text }) =>
    [...text.matchAll(started)].flatMap(([, program]) => (program === 'node' ? [] : [{ file, program }])),
  );
  assert.ok(found.some(({ program }) => program === 'pdftotext'));
  assert.equal(
    found.filter(({ file }) => !naming.has(folderOf(file))),
    [],
  );
});

test.run();
