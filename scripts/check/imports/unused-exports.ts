// Finds exported values that no other file imports, and names of an index that none imports through it. Types may be exported
// for the signatures that contain them. Exports are read with regular expressions, as imports are.
import path from 'node:path';
import { type Sources, targetOf } from './sources.ts';

const imports = /\b(?:import|export)\s+(?:type\s+)?(\*(?: as \w+)?|\{[^}]*\})\s*from '([.#][^']+)'/g;
const dynamicImports = /\bimport\('([.#][^']+)'\)/g;
const exportedValues = /^export (?:async )?(?:const|let|function\*?|class|abstract class) (\w+)/gm;
const indexNames = /^export (?:type )?\{([^}]*)\} from/gm;

/** Returns the findings about `sources`; `users` are all files that may import from them. */
export function unusedExports(sources: Sources, users: Sources): string[] {
  const imported = importedNames(users);
  return [...sources].flatMap(([file, text]) => {
    const names = imported.get(file) ?? new Set();
    if (names.has('*')) return [];
    return exportsOf(text).flatMap((name) => (names.has(name) ? [] : [`${file}: no file imports ${name}`]));
  });
}

/** Returns the imported names by file; `*` if a file imports all of them. */
function importedNames(users: Sources): ReadonlyMap<string, ReadonlySet<string>> {
  const imported = new Map<string, Set<string>>();
  const take = (file: string, specifier: string, names: readonly string[]) => {
    const target = targetOf(file, specifier);
    imported.set(target, new Set([...(imported.get(target) ?? []), ...names]));
  };
  for (const [file, text] of users) {
    for (const [, list = '', specifier = ''] of text.matchAll(imports)) {
      if (isForwarding(file, list)) continue;
      take(file, specifier, list.startsWith('*') ? ['*'] : namesIn(list.slice(1, -1), 0));
    }
    for (const [, specifier = ''] of text.matchAll(dynamicImports)) take(file, specifier, ['*']);
  }
  for (const [file, text] of users) {
    for (const [, list = '', specifier = ''] of text.matchAll(imports))
      if (isForwarding(file, list)) take(file, specifier, [...(imported.get(file) ?? [])]);
  }
  return imported;
}

/**
 * Returns whether an index forwards all names (`export * from './engine/index.ts'`): then the imported names are those that
 * others import from the index.
 */
const isForwarding = (file: string, list: string): boolean => list === '*' && path.posix.basename(file) === 'index.ts';

const exportsOf = (text: string): string[] => [
  ...[...text.matchAll(exportedValues)].map(([, name = '']) => name),
  ...[...text.matchAll(indexNames)].flatMap(([, list = '']) => namesIn(list, -1)),
];

/** Returns the names before (0) or after (−1) `as` in `a, type b as c`. */
const namesIn = (list: string, side: 0 | -1): string[] =>
  list
    .split(',')
    .map((part) => part.trim().replace(/^type /, ''))
    .filter((part) => part !== '')
    .map((part) => part.split(/\s+as\s+/).at(side) ?? '');
