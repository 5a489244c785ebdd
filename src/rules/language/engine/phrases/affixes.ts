// Affixes that Arabic writes together with a word: conjunction, preposition and article before it; number, gender and
// pronoun after it. All are folded.

const conjunctions = ['', 'و', 'ف'];
const particles = ['', 'ب', 'ك', 'ل', 'ال', 'بال', 'كال', 'لال', 'لل'];

/** `[وف]? ([بكل]?(ال)? | لل)`, without the empty one. */
const prefixes: readonly string[] = conjunctions
  .flatMap((conjunction) => particles.map((particle) => conjunction + particle))
  .filter((prefix) => prefix !== '');

const pronouns = ['ه', 'ها', 'هم', 'هن', 'هما', 'ك', 'كم', 'كن', 'كما', 'ي', 'نا', 'ني'];
const pronounsAfterTa = pronouns.map((pronoun) => `ت${pronoun}`);

/** Endings that may follow any phrase. The feminine ta folds to ه, which is also a pronoun. */
const endings = new Set(['ا', 'ات', 'ان', 'ين', 'ون', 'تان', 'تين', ...pronouns, ...pronounsAfterTa]);
/** Endings that replace the final ة of a phrase. */
const endingsForTa = new Set(['ات', ...pronounsAfterTa]);

const beginnings = new Set('وفبكلا');

/** Returns the word itself and the rest after each prefix that it may have. */
export function withoutPrefixes(word: string): string[] {
  const found = [word];
  if (!beginnings.has(word[0] ?? '')) return found;
  for (const prefix of prefixes) {
    if (word.length > prefix.length && word.startsWith(prefix)) found.push(word.slice(prefix.length));
  }
  return found;
}

const longestEnding = 4;
const lastLetters = new Set([...endings].map((ending) => ending.at(-1)));

/** Returns each division of a word into a stem and an ending, the whole word first. */
export function partings(word: string): readonly { readonly stem: string; readonly ending: string }[] {
  const found = [{ stem: word, ending: '' }];
  if (!lastLetters.has(word.at(-1))) return found;
  for (let length = 1; length <= longestEnding && length < word.length; length += 1) {
    const ending = word.slice(-length);
    if (endings.has(ending)) found.push({ stem: word.slice(0, -length), ending });
  }
  return found;
}

/** Returns whether the ending may follow. `instead`: the stem lacks the ة in which the phrase ends. */
export const allows = (ending: string, instead: boolean): boolean => !instead || endingsForTa.has(ending);
