// An exported name belongs to one capability, so that a search by name returns one thing.
import { folderOf } from './findings.ts';
import type { Sources } from './sources.ts';

/** Names that have the same role in every capability that declares them. */
export const conventionalNames: ReadonlySet<string> = new Set(['documentSchemas', 'factCategories']);

const exportedNames =
  /^export (?:declare )?(?:async )?(?:type|interface|const|let|function\*?|class|abstract class) (\w+)/gm;

/** Returns one line for each name that two capabilities declare, and for each conventional name that no two declare. */
export function exportedNameFindings(
  sources: Sources,
  conventional: ReadonlySet<string> = conventionalNames,
): string[] {
  const declaring = new Map<string, Set<string>>();
  for (const [file, text] of sources)
    for (const [, name = ''] of text.matchAll(exportedNames))
      declaring.set(name, (declaring.get(name) ?? new Set()).add(folderOf(file)));
  const shared = [...declaring].filter(([, folders]) => folders.size > 1);
  const stale = [...conventional].filter((name) => !shared.some(([found]) => found === name));
  return [
    ...shared
      .filter(([name]) => !conventional.has(name))
      .map(([name, folders]) => `${name}: is exported by ${[...folders].sort().join(' and ')}; name what each one is`),
    ...stale.map((name) => `${name}: a conventional name that no two capabilities export`),
  ].sort();
}
