// Values that are exported and that no other file imports, and names of an index that nobody takes through it. Types
// may be exported for the sake of the signatures that they stand in. Read with regular expressions, as the imports are.
import path from 'node:path';
import { type Sources, targetOf } from './sources.ts';

const imports = /\b(?:import|export)\s+(?:type\s+)?(\*(?: as \w+)?|\{[^}]*\})\s*from '([.#][^']+)'/g;
const dynamicImports = /\bimport\('([.#][^']+)'\)/g;
const exportedValues = /^export (?:async )?(?:const|let|function\*?|class|abstract class) (\w+)/gm;
const doorNames = /^export (?:type )?\{([^}]*)\} from/gm;

/** `sources`: what is looked at; `users`: all files that may import from them. */
export function unusedExports(sources: Sources, users: Sources): string[] {
  const taken = takenNames(users);
  return [...sources].flatMap(([file, text]) => {
    const names = taken.get(file) ?? new Set();
    if (names.has('*')) return [];
    return exportsOf(text).flatMap((name) => (names.has(name) ? [] : [`${file}: nobody imports ${name}`]));
  });
}

/** File → the names that others import from it; `*` when one takes them all. */
function takenNames(users: Sources): ReadonlyMap<string, ReadonlySet<string>> {
  const taken = new Map<string, Set<string>>();
  const take = (file: string, specifier: string, names: readonly string[]) => {
    const target = targetOf(file, specifier);
    taken.set(target, new Set([...(taken.get(target) ?? []), ...names]));
  };
  for (const [file, text] of users) {
    for (const [, list = '', specifier = ''] of text.matchAll(imports)) {
      if (passesOn(file, list)) continue;
      take(file, specifier, list.startsWith('*') ? ['*'] : namesIn(list.slice(1, -1), 0));
    }
    for (const [, specifier = ''] of text.matchAll(dynamicImports)) take(file, specifier, ['*']);
  }
  for (const [file, text] of users) {
    for (const [, list = '', specifier = ''] of text.matchAll(imports))
      if (passesOn(file, list)) take(file, specifier, [...(taken.get(file) ?? [])]);
  }
  return taken;
}

/** `export * from './engine/index.ts'` of an index: taken are the names that others take from the index. */
const passesOn = (file: string, list: string): boolean => list === '*' && path.posix.basename(file) === 'index.ts';

const exportsOf = (text: string): string[] => [
  ...[...text.matchAll(exportedValues)].map(([, name = '']) => name),
  ...[...text.matchAll(doorNames)].flatMap(([, list = '']) => namesIn(list, -1)),
];

/** `a, type b as c` → the names before (0) or after (−1) `as`. */
const namesIn = (list: string, side: 0 | -1): string[] =>
  list
    .split(',')
    .map((part) => part.trim().replace(/^type /, ''))
    .filter((part) => part !== '')
    .map((part) => part.split(/\s+as\s+/).at(side) ?? '');
