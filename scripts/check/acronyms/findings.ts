// Finds acronyms in sources that are not defined.
import type { Sources } from '../imports/sources.ts';
import { generalWords } from './general.ts';

/**
 * A word in capitals, with what is joined to it by hyphens: `RTI`, `DTH-MIN-01`. Character classes of patterns (`[AP]`) do not
 * match.
 */
const inCapitals = /(?<![A-Za-z0-9_[\\])[A-Z]+(?:-[A-Z0-9]+)*(?![A-Za-z0-9_])/g;

/** Returns one line for each acronym of two to five letters, with the first file that contains it. */
export function undefinedAcronyms(sources: Sources, glossary: string): string[] {
  const defined = definedIn(glossary);
  const files = new Map<string, string>();
  for (const [file, text] of sources) {
    for (const acronym of acronymsOf(text)) {
      if (!defined.has(acronym) && !generalWords.has(acronym) && !files.has(acronym)) files.set(acronym, file);
    }
  }
  return [...files].map(([acronym, file]) => `${file}: ${acronym} is not defined in docs/glossary.md`).sort();
}

/**
 * Returns the acronyms; of `DTH-MIN-01` only the code of the table, since the rest of the name is described in the rule
 * document.
 */
const acronymsOf = (text: string): string[] =>
  (text.match(inCapitals) ?? []).map((word) => word.split('-')[0] ?? word).filter((word) => /^.{2,5}$/.test(word));

/** Returns the words in capitals in the first column of the glossary's tables. */
function definedIn(glossary: string): ReadonlySet<string> {
  const terms = glossary.split('\n').flatMap((line) => /^\| *([^|]+)/.exec(line)?.[1] ?? []);
  return new Set(terms.flatMap(acronymsOf));
}
