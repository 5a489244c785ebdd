// Part of `npm run check`: every acronym of `src/` is defined in docs/glossary.md, or is one of general computing.
import fs from 'node:fs';
import path from 'node:path';
import { undefinedAcronyms } from './acronyms/findings.ts';
import { readSources } from './imports/sources.ts';

const root = path.resolve(import.meta.dirname, '../..');
const glossary = fs.readFileSync(path.join(root, 'docs/glossary.md'), 'utf8');
const findings = undefinedAcronyms(readSources(root, ['src']), glossary);
for (const finding of findings) console.error(finding);
if (findings.length > 0) process.exitCode = 1;
else console.log('Every acronym is defined.');
