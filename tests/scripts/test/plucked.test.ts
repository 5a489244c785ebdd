// Knex reads a plucked column by its name in the database: another spelling gives undefined values.
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';

const root = path.resolve(import.meta.dirname, '../../..');
const plucked = /\.pluck\(\s*'([^']+)'/g;

test('columns are plucked by their names in the database', () => {
  const files = ['src', 'workers', 'tests', 'bench', 'scripts'].flatMap((folder) =>
    fs
      .readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => path.join(folder, file)),
  );
  const found = files.flatMap((file) =>
    [...fs.readFileSync(path.join(root, file), 'utf8').matchAll(plucked)].map(([, column = '']) => ({ file, column })),
  );
  assert.ok(found.length > 0);
  assert.equal(
    found.filter(({ column }) => /[A-Z]/.test(column)),
    [],
  );
});

test.run();
