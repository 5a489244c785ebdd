// A trie of the phrases of many rules, searched in one pass over the words of a text.
import type { TextSpan } from '../fold/fold.ts';
import { foldText } from '../fold/fold.ts';
import { wordsOf } from '../fold/words.ts';
import { allows, partings, withoutPrefixes } from './affixes.ts';

export interface Phrase {
  readonly text: string;
  /** Index of the rule of this phrase. */
  readonly rule: number;
}

/** A found phrase: the span in units of the folded text, from the first word's prefix to the last word's ending. */
export interface PhraseFound extends TextSpan {
  readonly rule: number;
}

interface End {
  readonly rule: number;
  /** Whether the stem lacks the ة in which the phrase ends. */
  readonly instead: boolean;
}

interface Node {
  readonly next: Map<string, Node>;
  readonly ends: Map<string, End[]>;
  /** The first one or two letters of the words that continue or end here; most words of a text match none. */
  readonly beginnings: Set<string>;
}

const node = (): Node => ({ next: new Map(), ends: new Map(), beginnings: new Set() });

const beginningOf = (word: string): string => word.slice(0, 2);

/** One word of a text with the alternative spellings under which it is looked up. */
export interface Spelled extends TextSpan {
  readonly text: string;
}

export interface PhraseDictionary {
  find(words: readonly Spelled[]): PhraseFound[];
}

/** How the words of a phrase are written in the dictionary: unchanged, or with runs of one letter collapsed. */
export type Writing = (word: string) => string;

export function dictionaryOf(phrases: readonly Phrase[], isExact: boolean, writing: Writing): PhraseDictionary {
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
  let current = root;
  for (const word of words) {
    const next = current.next.get(word) ?? node();
    current.next.set(word, next);
    current.beginnings.add(beginningOf(word));
    current = next;
  }
  addEnd(current, last, { rule, instead: false });
  if (endsInTa(text) && last.length > 1) addEnd(current, last.slice(0, -1), { rule, instead: true });
}

function addEnd({ ends, beginnings }: Node, stem: string, end: End): void {
  beginnings.add(beginningOf(stem));
  ends.set(stem, [...(ends.get(stem) ?? []), end]);
}

/** Returns whether a phrase contains a word. */
export const holdsWord = (phrase: string, isExact: boolean): boolean => wordsOf(foldText(phrase, isExact)).length > 0;

const endsInTa = (text: string): boolean => /[ةۃ][\p{M}\u0640]*$/u.test(text.trim());

/** Only the first word may have a prefix, and only the last an ending. */
function findAt(root: Node, words: readonly Spelled[], at: number, found: PhraseFound[]): void {
  const first = words[at];
  if (!first) return;
  for (const word of withoutPrefixes(first.text)) {
    if (!root.beginnings.has(beginningOf(word)) && word.length > 1 && !root.beginnings.has(word.slice(0, 1))) continue;
    findEnds(root, word, first, found);
    let current = root.next.get(word);
    for (let next = at + 1; current && next < words.length; next += 1) {
      const { text = '', to = 0 } = words[next] ?? {};
      findEnds(current, text, { from: first.from, to }, found);
      current = current.next.get(text);
    }
  }
}

function findEnds({ ends }: Node, word: string, { from, to }: TextSpan, found: PhraseFound[]): void {
  if (ends.size === 0) return;
  for (const { stem, ending } of partings(word)) {
    for (const { rule, instead } of ends.get(stem) ?? none) {
      if (allows(ending, instead)) found.push({ rule, from, to });
    }
  }
}

const none: readonly End[] = [];
