// `npm run check` asks it: whether everything that `src/` and `workers/` export is imported by somebody.
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
else console.log('Everything that is exported is imported by somebody.');
