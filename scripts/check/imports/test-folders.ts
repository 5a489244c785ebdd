// Checks that tests are under the path of the code that they test, in folders of the same names.
import fs from 'node:fs';
import path from 'node:path';

/** Folders of `tests/` without code of the same path: each tests the whole service, or contains what many tests need. */
export const crossCutting: Readonly<Record<string, string>> = {
  contract: 'every route, document and number against the contract',
  faults: 'processes that are killed in the middle of their work',
  golden: 'cases of the contract that several capabilities are tested with',
  replay: 'runs that earlier engines have recorded',
  security: 'what docs/security.md promises',
  start: 'start and stop of the whole service',
  harness: 'what tests of all folders need',
};

/** Folders of the root whose tests keep their name in the path; `src/` is left out of it. */
const besideSource = ['workers', 'scripts', 'bench'];

/** Returns the files of the repository, from its root. */
export function readTree(root: string): string[] {
  return ['src', 'tests', ...besideSource].flatMap((folder) =>
    fs
      .readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/')),
  );
}

/**
 * Returns the findings; none if every folder of tests has the path of one of the code. A listed folder without files is a
 * finding too.
 */
export function testFolderFindings(files: readonly string[]): string[] {
  const code = new Set(files.filter((file) => !file.startsWith('tests/')).flatMap(foldersAbove));
  const folders = new Set(files.filter((file) => file.startsWith('tests/')).map(folderOf));
  const present = new Set([...folders].map(topFolderOf));
  return [
    ...[...folders].flatMap((folder) => strayFindings(folder, code)),
    ...Object.keys(crossCutting)
      .filter((folder) => !present.has(folder))
      .map((folder) => `tests/${folder}: a listed folder without files (scripts/check/imports/test-folders.ts)`),
  ].sort();
}

const folderOf = (file: string): string => path.posix.dirname(file);
const topFolderOf = (folder: string): string => folder.split('/')[1] ?? '';

/** Returns `a` and `a/b` for `src/a/b/c.ts`, `scripts` and `scripts/a` for `scripts/a/b.ts`. */
function foldersAbove(file: string): string[] {
  const parts = folderOf(file).split('/');
  const named = parts[0] === 'src' ? parts.slice(1) : parts;
  return named.map((_, at) => named.slice(0, at + 1).join('/'));
}

function strayFindings(folder: string, code: ReadonlySet<string>): string[] {
  if (Object.hasOwn(crossCutting, topFolderOf(folder)) || code.has(folder.slice('tests/'.length))) return [];
  return [`${folder}: no folder of the code has this path`];
}
