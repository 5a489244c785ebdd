// Part of `npm run check`: everything that `src/` and `workers/` export is imported.
import path from 'node:path';
import { readSources } from './imports/sources.ts';
import { unusedExports } from './imports/unused-exports.ts';

const root = path.resolve(import.meta.dirname, '../..');
const findings = unusedExports(
  readSources(root),
  readSources(root, ['src', 'workers', 'migrations', 'scripts', 'bench', 'tests']),
);
for (const finding of findings) console.error(finding);
if (findings.length > 0) process.exitCode = 1;
else console.log('Every export is imported.');
