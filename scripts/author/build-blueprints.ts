// `npm run build:blueprints`: builds the shipped batch of lesson blueprints from its scripts and the item bank; `--check`
// compares the result with the file on disk.
import fs from 'node:fs/promises';
import path from 'node:path';
import { buildBatch } from './blueprints/build.ts';

const built = await buildBatch(path.resolve(import.meta.dirname, '../../rules'));
const file = path.relative(process.cwd(), built.path);
const isCheck = process.argv.includes('--check');
if (!isCheck) await fs.writeFile(built.path, built.text);
const present = await fs.readFile(built.path, 'utf8').catch(() => null);
if (present === built.text)
  console.log(`${file}: ${built.blueprints} blueprints, ${Buffer.byteLength(built.text)} bytes`);
else console.error(`${file} differs from its source; run: npm run build:blueprints`);
process.exitCode = present === built.text ? 0 : 1;
