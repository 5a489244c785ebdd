// docs/security.md rests every row on a test or a source file, which must exist. So must the files that other documents
// name.
import fs from 'node:fs';
import { test } from 'uvu';
import * as assert from 'uvu/assert';

const text = fs.readFileSync('docs/security.md', 'utf8');

test('every file that the document names exists', () => {
  const named = [...new Set(text.match(/\b(?:tests|src)\/[\w./-]+\.ts\b/g))];
  assert.ok(named.length > 25);
  assert.equal(
    named.filter((file) => !fs.existsSync(file)),
    [],
  );
});

test('every file that any document names exists', () => {
  const documents = ['README.md', ...['docs', 'docs/decisions'].flatMap(markdownIn)];
  assert.ok(documents.length > 25);
  const gone = documents.flatMap((document) =>
    (
      fs
        .readFileSync(document, 'utf8')
        .match(/\b(?:tests|src|workers|scripts|migrations)\/[\w./-]+\.(?:ts|mjs|sql)\b/g) ?? []
    )
      .filter((file) => !fs.existsSync(file))
      .map((file) => `${document}: ${file}`),
  );
  assert.equal(gone, []);
});

const markdownIn = (folder: string): string[] =>
  fs
    .readdirSync(folder)
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name}`);

test('every security test is named in the document', () => {
  const files = fs
    .readdirSync('tests/security', { recursive: true })
    .map(String)
    .filter((file) => file.endsWith('.test.ts'));
  const unnamed = files.filter((file) => !text.includes(`tests/security/${file}`));
  assert.equal(unnamed, ['document.test.ts']);
});

test.run();
