// Searches one reading of a text for the patterns of a set.
import type { FoldedText, TextSpan } from '../fold/fold.ts';
import { foldExactly, foldLoosely, isWordAt } from '../fold/letters.ts';
import { type Program, programOf } from './program.ts';
import { scanFor } from './scan.ts';
import { search } from './search.ts';
import { PatternError, parsePattern } from './syntax.ts';

export interface TextPattern {
  readonly text: string;
  readonly rule: number;
}

export interface PatternFound extends TextSpan {
  readonly rule: number;
}

export type PatternFinder = (folded: FoldedText) => PatternFound[];

/** Throws PatternError. */
export function compilePattern(pattern: string, isExact: boolean): Program {
  const program = programOf(parsePattern(foldedPattern(pattern, isExact)));
  if (search(program, []).length > 0 || matchesNothing(program)) throw new PatternError('matches a text without words');
  return program;
}

/** Returns the pattern with its letters folded like the text; its operators are ASCII and stay. */
const foldedPattern = (pattern: string, isExact: boolean): string =>
  [...pattern].map((unit) => (unit < '\u0080' ? unit : fold(unit, isExact))).join('');

const fold = (unit: string, isExact: boolean): string =>
  (isExact ? foldExactly : foldLoosely)(unit.codePointAt(0) ?? 0);

/** Returns whether the program matches the empty text. */
function matchesNothing({ states, start }: Program): boolean {
  const [open, seen] = [[start], new Set<number>()];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    const here = states[next];
    if (here?.kind === 'found') return true;
    if (here?.kind === 'split') open.push(...here.next);
    if (here?.kind === 'border') open.push(here.next);
  }
  return false;
}

/** Throws PatternError. */
export function patternFinder(patterns: readonly TextPattern[], isExact: boolean): PatternFinder {
  const compiled = patterns.map(({ text, rule }) => ({ rule, program: compilePattern(text, isExact) }));
  const scan = scanFor(compiled.map(({ program }) => program));
  return ({ text }) => {
    const characters = [...text];
    if (!scan(characters)) return [];
    const offsets = offsetsOf(characters);
    return compiled.flatMap(({ rule, program }) =>
      wholeWords(text, inUnits(search(program, characters), offsets)).map((found) => ({ rule, ...found })),
    );
  };
}

const inUnits = (found: readonly TextSpan[], offsets: readonly number[]): TextSpan[] =>
  found.map(({ from, to }) => ({ from: offsets[from] ?? 0, to: offsets[to] ?? 0 }));

/** Returns the UTF-16 offset of each character and of the end. */
function offsetsOf(characters: readonly string[]): number[] {
  const offsets = [0];
  for (const character of characters) offsets.push((offsets.at(-1) ?? 0) + character.length);
  return offsets;
}

/** Extends each match to whole words and merges duplicates. `found` is in order. */
function wholeWords(text: string, found: readonly TextSpan[]): TextSpan[] {
  const isInside = (at: number) => at >= 0 && at < text.length && isWordAt(text, at);
  const whole: TextSpan[] = [];
  for (const { from, to } of found) {
    const reached = whole.at(-1)?.to ?? 0;
    if (from < reached && to <= reached) continue;
    let [first, last] = [from, to];
    while (isInside(first) && isInside(first - 1)) first -= 1;
    while (isInside(last - 1) && isInside(last)) last += 1;
    whole.push({ from: first, to: last });
  }
  return whole;
}
