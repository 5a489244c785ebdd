// `npm run build:item-bank`: builds the next item bank from its source cells. `--check` compares it with the file on disk, if
// the version has been built; `-- --cell CODE.BAND …` lists the findings of single cells.
import fs from 'node:fs/promises';
import path from 'node:path';
import { buildItemBank, checkCells } from '#assessment/content/items/build.ts';

const rulesDir = path.resolve(import.meta.dirname, '../../rules');
const args = process.argv.slice(2);
process.exitCode = (await (args.includes('--cell') ? check(args.filter((arg) => !arg.startsWith('--'))) : build()))
  ? 0
  : 1;

async function check(names: readonly string[]): Promise<boolean> {
  const findings = await checkCells(rulesDir, names);
  for (const line of findings) console.log(line);
  console.log(`${names.join(', ')}: ${findings.length} findings`);
  return findings.length === 0;
}

async function build(): Promise<boolean> {
  const built = await buildItemBank(rulesDir);
  const file = path.relative(path.dirname(rulesDir), built.path);
  const present = await fs.readFile(built.path, 'utf8').catch(() => null);
  if (args.includes('--check') && present === null) {
    console.log(`${file} is not built yet; its source has ${built.findings.length} findings`);
    return true;
  }
  for (const line of built.findings) console.error(line);
  if (built.findings.length > 0) console.error(`${built.findings.length} findings; the item bank is not built`);
  else if (!args.includes('--check')) await fs.writeFile(built.path, built.text);
  else if (present !== built.text) console.error(`${file} differs from its source; run: npm run build:item-bank`);
  if (built.findings.length === 0) console.log(`${file}: ${built.text.split('\n').length - 3} items`);
  return built.findings.length === 0 && (!args.includes('--check') || present === built.text);
}
