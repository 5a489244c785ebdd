// `npm run check` runs it: imports go downwards and through the public part of a capability, engines are pure, nothing imports
// itself in a circle, `core` knows no word of the domain, a retired word is not used, code that asks for all organizations is
// listed, and tests lie under the path of the code. The lists are `layers.ts`, `platform-scope.ts` and `test-rooms.ts`.
import path from 'node:path';
import { importFindings } from './imports/findings.ts';
import { exceptions, mostFiles } from './imports/layers.ts';
import { platformFindings } from './imports/platform-scope.ts';
import { largeFolders } from './imports/sizes.ts';
import { readSources } from './imports/sources.ts';
import { readTree, testRoomFindings } from './imports/test-rooms.ts';

const root = path.resolve(import.meta.dirname, '../..');
const sources = readSources(root);
const tree = readTree(root);
const findings = [...importFindings(sources, exceptions), ...platformFindings(sources), ...testRoomFindings(tree)];
for (const { folder, files } of largeFolders(tree))
  console.log(`warning: ${folder} holds ${files} files (more than ${mostFiles}): has it a second idea?`);
for (const finding of findings) console.error(finding);
if (findings.length > 0) process.exitCode = 1;
else
  console.log(
    `${sources.size} files: every import goes downwards and through a front door, and tests lie under their paths.`,
  );
