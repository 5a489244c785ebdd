// The phrases of many rules, found in one walk over the words of a text, however many there are.
import type { Span } from '../fold/fold.ts';
import { foldText } from '../fold/fold.ts';
import { wordsOf } from '../fold/words.ts';
import { allows, partings, withoutHeads } from './affixes.ts';

export interface Phrase {
  readonly text: string;
  /** Index of the rule that it belongs to. */
  readonly rule: number;
}

/** Where a phrase stands: units of the folded text, from the first word's head to the last word's ending. */
export interface PhraseFound extends Span {
  readonly rule: number;
}

interface End {
  readonly rule: number;
  /** The phrase without the ة that it ends in. */
  readonly instead: boolean;
}

interface Node {
  readonly next: Map<string, Node>;
  readonly ends: Map<string, End[]>;
  /** How the words that lead on or end here begin: most words of a text do not. */
  readonly beginnings: Set<string>;
}

const node = (): Node => ({ next: new Map(), ends: new Map(), beginnings: new Set() });

const beginningOf = (word: string): string => word.slice(0, 2);

/** One word of a text with the other spellings under which it is looked for. */
export interface Spelled extends Span {
  readonly text: string;
}

export interface Dictionary {
  find(words: readonly Spelled[]): PhraseFound[];
}

/** How a phrase's words are written in the dictionary: as they are, or with runs of one letter collapsed. */
export type Writing = (word: string) => string;

export function dictionaryOf(phrases: readonly Phrase[], isExact: boolean, writing: Writing): Dictionary {
  const root = node();
  for (const { text, rule } of phrases) add(root, text, rule, isExact, writing);
  return {
    find(words) {
      const found: PhraseFound[] = [];
      for (let at = 0; at < words.length; at += 1) findAt(root, words, at, found);
      return found;
    },
  };
}

function add(root: Node, text: string, rule: number, isExact: boolean, writing: Writing): void {
  const words = wordsOf(foldText(text, isExact)).map((word) => writing(word.text));
  const last = words.pop();
  if (last === undefined) return;
  let place = root;
  for (const word of words) {
    const next = place.next.get(word) ?? node();
    place.next.set(word, next);
    place.beginnings.add(beginningOf(word));
    place = next;
  }
  addEnd(place, last, { rule, instead: false });
  if (endsInTa(text) && last.length > 1) addEnd(place, last.slice(0, -1), { rule, instead: true });
}

function addEnd({ ends, beginnings }: Node, stem: string, end: End): void {
  beginnings.add(beginningOf(stem));
  ends.set(stem, [...(ends.get(stem) ?? []), end]);
}

/** Whether there is anything in a phrase to look for. */
export const holdsWord = (phrase: string, isExact: boolean): boolean => wordsOf(foldText(phrase, isExact)).length > 0;

const endsInTa = (text: string): boolean => /[ةۃ][\p{M}\u0640]*$/u.test(text.trim());

/** Only the first word takes a head, and only the last an ending. */
function findAt(root: Node, words: readonly Spelled[], at: number, found: PhraseFound[]): void {
  const first = words[at];
  if (!first) return;
  for (const word of withoutHeads(first.text)) {
    if (!root.beginnings.has(beginningOf(word)) && word.length > 1 && !root.beginnings.has(word.slice(0, 1))) continue;
    findEnds(root, word, first, found);
    let place = root.next.get(word);
    for (let next = at + 1; place && next < words.length; next += 1) {
      const { text = '', to = 0 } = words[next] ?? {};
      findEnds(place, text, { from: first.from, to }, found);
      place = place.next.get(text);
    }
  }
}

function findEnds({ ends }: Node, word: string, { from, to }: Span, found: PhraseFound[]): void {
  if (ends.size === 0) return;
  for (const { stem, ending } of partings(word)) {
    for (const { rule, instead } of ends.get(stem) ?? none) {
      if (allows(ending, instead)) found.push({ rule, from, to });
    }
  }
}

const none: readonly End[] = [];
