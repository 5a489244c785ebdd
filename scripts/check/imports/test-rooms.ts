// Where tests lie: under the path of the code that they test, in folders of the same names.
import fs from 'node:fs';
import path from 'node:path';

/** Folders of `tests/` that have no code of their own: each walks the whole service, or holds what many tests need. */
export const walks: Readonly<Record<string, string>> = {
  contract: 'every route, document and number against the contract',
  faults: 'processes that are killed in the middle of their work',
  golden: 'cases of the contract that several capabilities are tested with',
  replay: 'runs that earlier engines have recorded',
  security: 'what docs/security.md promises',
  start: 'start and stop of the whole service',
  harness: 'what tests of all folders need',
};

/** Folders of the root that tests name with their own name; those of `src/` are named without it. */
const besideSource = ['workers', 'scripts', 'bench'];

/** Files of the repository, from its root. */
export function readTree(root: string): string[] {
  return ['src', 'tests', ...besideSource].flatMap((folder) =>
    fs
      .readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/')),
  );
}

/** Nothing: every folder of tests has the path of one of the code. A walk that no file lies in is a finding too. */
export function testRoomFindings(files: readonly string[]): string[] {
  const code = new Set(files.filter((file) => !file.startsWith('tests/')).flatMap(roomsAbove));
  const rooms = new Set(files.filter((file) => file.startsWith('tests/')).map(roomOf));
  const walked = new Set([...rooms].map(walkOf));
  return [
    ...[...rooms].flatMap((room) => strayFindings(room, code)),
    ...Object.keys(walks)
      .filter((walk) => !walked.has(walk))
      .map((walk) => `tests/${walk}: a walk without files (scripts/check/imports/test-rooms.ts)`),
  ].sort();
}

const roomOf = (file: string): string => path.posix.dirname(file);
const walkOf = (room: string): string => room.split('/')[1] ?? '';

/** `src/a/b/c.ts` → a, a/b; `scripts/a/b.ts` → scripts, scripts/a */
function roomsAbove(file: string): string[] {
  const parts = roomOf(file).split('/');
  const named = parts[0] === 'src' ? parts.slice(1) : parts;
  return named.map((_, at) => named.slice(0, at + 1).join('/'));
}

function strayFindings(room: string, code: ReadonlySet<string>): string[] {
  if (Object.hasOwn(walks, walkOf(room)) || code.has(room.slice('tests/'.length))) return [];
  return [`${room}: no folder of the code has this path`];
}
