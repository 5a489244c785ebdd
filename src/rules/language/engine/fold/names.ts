// The fold of a name, for comparison and search. Names are data, not pages, so they hold no HTML entities. The database has
// the same function (`fold_name`, migrations/sql/name-fold.ts) for statements that compare or search names.
import { foldLoosely } from './letters.ts';

/** In characters. A letter may unfold to eighteen, and folded names are keys of an index. */
const maxFolded = 200;

/** Returns the folded name, with single blanks. Two names that differ only in spelling have one fold. */
export function foldName(name: string): string {
  let folded = '';
  for (const character of name) folded += foldLoosely(character.codePointAt(0) ?? 0);
  const spaced = folded.replace(/[\s\p{Cc}]+/gu, ' ').trim();
  return [...spaced].slice(0, maxFolded).join('').trimEnd();
}
