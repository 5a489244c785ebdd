// `npm run check` asks it: whether capabilities meet at their front doors only, arrows point downwards, the platform speaks
// no word of the domain, what has a name has no other, no room is crowded, and nothing imports itself in a circle. What it
// knows stands in `scripts/imports/layers.ts`.
import path from 'node:path';
import { importFindings } from './imports/findings.ts';
import { exceptions } from './imports/layers.ts';
import { readSources } from './imports/sources.ts';

const sources = readSources(path.resolve(import.meta.dirname, '..'));
const findings = importFindings(sources, exceptions);
for (const finding of findings) console.error(finding);
if (findings.length > 0) process.exitCode = 1;
else console.log(`${sources.size} files: every import goes downwards and through a front door.`);
