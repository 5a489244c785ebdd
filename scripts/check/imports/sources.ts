// The sources whose imports are checked. Imports are read with regular expressions, because the formatter allows one form of
// them and no compiler has to start.
import fs from 'node:fs';
import path from 'node:path';

/** Texts by the path from the repository's root. */
export type Sources = ReadonlyMap<string, string>;

const anyImport = /(?:\bfrom |\bimport\(|^import |^declare module )'([^']+)'/gm;
const typeImport = /^(?:import|export) type [^;]*? from '([^']+)'/gm;

/** Returns the files that `file` imports, for values or for types. */
export const importsOf = (file: string, text: string): string[] => targetsOf(file, specifiersOf(text, anyImport));

/** Returns the files and packages that are loaded with `file`. Types are not loaded. */
export function loadedBy(file: string, text: string): string[] {
  const loaded = specifiersOf(text, anyImport);
  for (const type of specifiersOf(text, typeImport)) loaded.splice(loaded.indexOf(type), 1);
  return [...targetsOf(file, loaded), ...loaded.filter((specifier) => !isOurs(specifier))];
}

const specifiersOf = (text: string, imports: RegExp): string[] =>
  [...text.matchAll(imports)].map(([, specifier = '']) => specifier);
const isOurs = (specifier: string): boolean => /^[.#]/.test(specifier);
const targetsOf = (file: string, specifiers: readonly string[]): string[] =>
  specifiers.filter(isOurs).map((specifier) => targetOf(file, specifier));

/** Returns the file that an import names: `#core/http/route.ts` → `src/core/http/route.ts`. */
export const targetOf = (file: string, specifier: string): string =>
  specifier.startsWith('#') ? `src/${specifier.slice(1)}` : path.posix.join(path.posix.dirname(file), specifier);

/** Reads the sources of these folders under `root`. */
export function readSources(root: string, folders: readonly string[] = ['src', 'workers']): Sources {
  const files = folders.flatMap((folder) =>
    fs
      .readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.includes('node_modules'))
      .map((name) => path.posix.join(folder, name.replaceAll(path.sep, '/'))),
  );
  return new Map(files.map((file) => [file, fs.readFileSync(path.join(root, file), 'utf8')]));
}
