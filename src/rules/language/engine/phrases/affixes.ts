// What Arabic writes together with a word: conjunction, preposition and article before it, number, gender and pronoun
// after it. All in folded letters.

const conjunctions = ['', 'و', 'ف'];
const particles = ['', 'ب', 'ك', 'ل', 'ال', 'بال', 'كال', 'لال', 'لل'];

/** `[وف]? ([بكل]?(ال)? | لل)`, without the empty one. */
const heads: readonly string[] = conjunctions
  .flatMap((conjunction) => particles.map((particle) => conjunction + particle))
  .filter((head) => head !== '');

const pronouns = ['ه', 'ها', 'هم', 'هن', 'هما', 'ك', 'كم', 'كن', 'كما', 'ي', 'نا', 'ني'];
const pronounsAfterTa = pronouns.map((pronoun) => `ت${pronoun}`);

/** After any phrase. The ta of the feminine is folded to ه, which is a pronoun too. */
const endings = new Set(['ا', 'ات', 'ان', 'ين', 'ون', 'تان', 'تين', ...pronouns, ...pronounsAfterTa]);
/** After a phrase that ends in ة, in the place of it. */
const endingsForTa = new Set(['ات', ...pronounsAfterTa]);

const beginnings = new Set('وفبكلا');

/** What is left of a word without each head that it may have; the word itself first. */
export function withoutHeads(word: string): string[] {
  const found = [word];
  if (!beginnings.has(word[0] ?? '')) return found;
  for (const head of heads) {
    if (word.length > head.length && word.startsWith(head)) found.push(word.slice(head.length));
  }
  return found;
}

const longestEnding = 4;
const lastLetters = new Set([...endings].map((ending) => ending.at(-1)));

/** Each way to part a word into a stem and an ending, the whole word first. */
export function partings(word: string): readonly { readonly stem: string; readonly ending: string }[] {
  const found = [{ stem: word, ending: '' }];
  if (!lastLetters.has(word.at(-1))) return found;
  for (let length = 1; length <= longestEnding && length < word.length; length += 1) {
    const ending = word.slice(-length);
    if (endings.has(ending)) found.push({ stem: word.slice(0, -length), ending });
  }
  return found;
}

/** `instead`: the stem lacks the ة that the phrase ends in. */
export const allows = (ending: string, instead: boolean): boolean => !instead || endingsForTa.has(ending);
