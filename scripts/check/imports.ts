// `npm run check` asks it: whether capabilities meet at their front doors only, arrows point downwards, the platform speaks
// no word of the domain, what has a name has no other, no room is crowded, who sees all organizations says why, nothing imports itself in a circle, and tests lie
// under the path of the code. What it knows stands in `scripts/check/imports/layers.ts` and `test-rooms.ts`.
import path from 'node:path';
import { importFindings } from './imports/findings.ts';
import { exceptions } from './imports/layers.ts';
import { platformFindings } from './imports/platform-scope.ts';
import { readSources } from './imports/sources.ts';
import { readTree, testRoomFindings } from './imports/test-rooms.ts';

const root = path.resolve(import.meta.dirname, '../..');
const sources = readSources(root);
const findings = [
  ...importFindings(sources, exceptions),
  ...platformFindings(sources),
  ...testRoomFindings(readTree(root)),
];
for (const finding of findings) console.error(finding);
if (findings.length > 0) process.exitCode = 1;
else
  console.log(
    `${sources.size} files: every import goes downwards and through a front door, and tests lie under their paths.`,
  );
