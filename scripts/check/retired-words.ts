// Part of `npm run check`: words that the trade has better names for are used nowhere in code, comments, tests and documents.
import fs from 'node:fs';
import path from 'node:path';
import { type KeptWord, retiredStemFindings } from './imports/retired-stems.ts';
import { readSources } from './imports/sources.ts';

const root = path.resolve(import.meta.dirname, '../..');
const listFile = 'scripts/check/imports/retired-stems.ts';
const ownTest = 'tests/scripts/check/imports/retired-stems.test.ts';

const storedReports = 'Reports that were stored under the former name are still read.';
const account = 'The account of the operating system with this name.';
const schemaName = 'The name of the schema of an empty response.';
const kept: readonly KeptWord[] = [
  { file: 'src/core/platform/postgres/binaries.ts', stem: 'nobody', reason: account },
  { file: 'src/core/platform/postgres/data-dir.ts', stem: 'nobody', reason: account },
  { file: 'src/assessment/teaser/routes.ts', stem: 'nobody', reason: schemaName },
  { file: 'src/assessment/teaser/schemas.ts', stem: 'nobody', reason: schemaName },
  { file: 'src/backoffice/workbench/impact/present.ts', stem: 'rehears', reason: storedReports },
  { file: 'tests/backoffice/workbench/impact/routes.test.ts', stem: 'rehears', reason: storedReports },
  { file: 'scripts/check/imports/layers.ts', stem: 'rehears', reason: 'The list of words that no identifier holds.' },
];

const texts = new Map(readSources(root, ['src', 'workers', 'scripts', 'bench', 'tests']));
for (const file of [listFile, 'scripts/check/retired-words.ts', ownTest]) texts.delete(file);
for (const file of ['README.md', 'CONTRIBUTING.md', ...documents()])
  texts.set(file, fs.readFileSync(path.join(root, file), 'utf8'));

const findings = retiredStemFindings(texts, kept);
for (const finding of findings) console.error(finding);
if (findings.length > 0) process.exitCode = 1;
else console.log(`${texts.size} files use no retired word.`);

function documents(): string[] {
  const names = fs.readdirSync(path.join(root, 'docs'), { recursive: true, encoding: 'utf8' });
  return names.filter((name) => name.endsWith('.md')).map((name) => `docs/${name.replaceAll(path.sep, '/')}`);
}
