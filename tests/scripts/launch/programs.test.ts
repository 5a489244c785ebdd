// A test that runs a program which a machine may lack says so where it is missing; it does not fail.
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { walks } from '../../../scripts/check/imports/test-rooms.ts';

const root = path.resolve(import.meta.dirname, '../..');
const started = /\b(?:spawn|spawnSync|execFile|execFileSync)\(\s*'([^']+)'/g;

test('programs beside Node are run where a test of the folder names what is skipped without them', () => {
  const files = fs.readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  const texts = files.map((file) => ({ file, text: fs.readFileSync(path.join(root, file), 'utf8') }));
  const folderOf = (file: string) => {
    const [first = '', second] = file.split(path.sep);
    return Object.hasOwn(walks, first) ? first : `${first}/${second}`;
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
