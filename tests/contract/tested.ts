// Whether the tests of a capability cover an entry that every capability may declare, such as a notification kind.
import fs from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');
const declaration = /Capability: Capability = \{\s*name: '([a-z-]+)'/;

/** `report-jobs` → `messaging/documents` */
const folders: ReadonlyMap<string, string> = new Map(
  filesBelow('src')
    .filter((file) => path.basename(file) === 'capability.ts')
    .flatMap((file) => {
      const name = declaration.exec(read(file))?.[1];
      return name === undefined ? [] : [[name, path.relative('src', path.dirname(file))] as const];
    }),
);

/** Whether a test file of the capability contains `text`. Throws when no capability has this name. */
export function isTested(capability: string, text: string): boolean {
  const folder = folders.get(capability);
  if (folder === undefined) throw new Error(`No capability.ts in src/ declares "${capability}".`);
  return filesBelow(`tests/${folder}`).some((file) => file.endsWith('.test.ts') && read(file).includes(text));
}

function filesBelow(folder: string): string[] {
  if (!fs.existsSync(path.join(root, folder))) return [];
  const files = fs.readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' });
  return files.map((file) => path.join(folder, file));
}

function read(file: string): string {
  return fs.readFileSync(path.join(root, file), 'utf8');
}
