// `npm run build:blueprints`: builds the shipped batches of lesson blueprints from their scripts and the item bank;
// `--check` compares the results with the files on disk.
import fs from 'node:fs/promises';
import path from 'node:path';
import { buildBatches } from './blueprints/build.ts';

const isCheck = process.argv.includes('--check');
for (const built of await buildBatches(path.resolve(import.meta.dirname, '../../rules'))) {
  const file = path.relative(process.cwd(), built.path);
  if (!isCheck) await fs.writeFile(built.path, built.text);
  const present = await fs.readFile(built.path, 'utf8').catch(() => null);
  if (present === built.text) {
    console.log(`${file}: ${built.blueprints} blueprints, ${Buffer.byteLength(built.text)} bytes`);
  } else {
    console.error(`${file} differs from its source; run: npm run build:blueprints`);
    process.exitCode = 1;
  }
}
