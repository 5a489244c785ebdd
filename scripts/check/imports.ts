// Part of `npm run check`: imports go downwards and through the public API of a capability, engines are pure, there are no
// cycles, no two capabilities export one name, `core` uses no word of the domain, no retired word is used, code that reads all
// organizations is listed, statements use the model of their table, and tests are under the path of the code. The lists are
// `layers.ts`, `exported-names.ts`, `platform-scope.ts`, `tables.ts` and `test-folders.ts`.
import path from 'node:path';
import { exportedNameFindings } from './imports/exported-names.ts';
import { importFindings } from './imports/findings.ts';
import { exceptions, mostFiles } from './imports/layers.ts';
import { platformFindings } from './imports/platform-scope.ts';
import { largeFolders } from './imports/sizes.ts';
import { readSources } from './imports/sources.ts';
import { tableFindings } from './imports/tables.ts';
import { readTree, testFolderFindings } from './imports/test-folders.ts';

const root = path.resolve(import.meta.dirname, '../..');
const sources = readSources(root);
const tree = readTree(root);
const findings = [
  ...importFindings(sources, exceptions),
  ...exportedNameFindings(sources),
  ...platformFindings(sources),
  ...tableFindings(sources),
  ...testFolderFindings(tree),
];
for (const { folder, files } of largeFolders(tree))
  console.log(`warning: ${folder} holds ${files} files (more than ${mostFiles}): does it have a second idea?`);
for (const finding of findings) console.error(finding);
if (findings.length > 0) process.exitCode = 1;
else
  console.log(
    `${sources.size} files: every import goes downwards and through an index, and the folders of tests mirror those of the code.`,
  );
