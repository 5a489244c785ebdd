// `npm run build:item-bank`: builds the item bank from its source cells; `--check` only compares with what is on disk.
import fs from 'node:fs/promises';
import path from 'node:path';
import { buildItemBank } from '../src/measurement/items/files.ts';

const rulesDir = path.resolve(import.meta.dirname, '../rules');
const built = await buildItemBank(rulesDir);
if (built.findings.length > 0) {
  console.error(built.findings.join('\n'));
  console.error(`${built.findings.length} findings; the item bank is not built`);
  process.exit(1);
}
const file = path.relative(path.dirname(rulesDir), built.path);
if (!process.argv.includes('--check')) {
  await fs.writeFile(built.path, built.text);
  console.log(`${file}: ${built.text.split('\n').length - 3} items`);
} else if ((await fs.readFile(built.path, 'utf8').catch(() => '')) !== built.text) {
  console.error(`${file} is not what its source gives; run: npm run build:item-bank`);
  process.exit(1);
}
