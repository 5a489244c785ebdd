// Finds the matches of one pattern. All states are followed at once, so that a text takes at most characters × states
// steps: a forward pass finds whether there is a match, and only then a backward pass finds its limits.
import type { TextSpan } from '../fold/fold.ts';
import { isBorder, type Program } from './program.ts';

/** Returns the leftmost, longest, non-overlapping and non-empty matches, in characters. */
export function search(program: Program, characters: readonly string[]): TextSpan[] {
  return hasMatch(program, characters) ? apart(longestFrom(program, characters)) : [];
}

/** Returns whether there is a non-empty match. Most texts have none, and few states are reached. */
function hasMatch({ states, start }: Program, characters: readonly string[]): boolean {
  const reach = reachable(states);
  let active: number[] = [];
  for (let at = 0; at <= characters.length; at += 1) {
    const [before, after] = [characters[at - 1] ?? '', characters[at] ?? ''];
    const begun = reach(active, at, before, after);
    if (begun.some((state) => states[state]?.kind === 'found')) return true;
    // A match that begins here is empty so far and does not count.
    const now = begun.concat(reach([start], at, before, after));
    active = [];
    for (const state of now) {
      const here = states[state];
      if (here?.kind === 'character' && after !== '' && here.matches(after)) active.push(here.next);
    }
  }
  return false;
}

/** Returns a function that gives the states reachable without a character, each once per position. */
function reachable(states: Program['states']) {
  const seen = new Int32Array(states.length).fill(-1);
  return (from: readonly number[], at: number, before: string, after: string): number[] => {
    const reached: number[] = [];
    const open = [...from];
    for (let state = open.pop(); state !== undefined; state = open.pop()) {
      if (seen[state] === at) continue;
      seen[state] = at;
      reached.push(state);
      const here = states[state];
      if (here?.kind === 'split') open.push(...here.next);
      if (here?.kind === 'border' && isBorder(here.at, before, after)) open.push(here.next);
    }
    return reached;
  };
}

const none = -1;

/** Returns for each start the last end of a match, or −1. */
function longestFrom({ states, start }: Program, characters: readonly string[]): Int32Array {
  const longest = new Int32Array(characters.length + 1);
  let later = new Int32Array(states.length).fill(none);
  for (let at = characters.length; at >= 0; at -= 1) {
    const [before, after] = [characters[at - 1] ?? '', characters[at] ?? ''];
    const ends = new Int32Array(states.length).fill(none);
    const endOf = (state: number): number => {
      const here = states[state];
      if (here?.kind === 'found') return at;
      if (here?.kind === 'split') return Math.max(...here.next.map((next) => ends[next] ?? none));
      if (here?.kind === 'border') return isBorder(here.at, before, after) ? (ends[here.next] ?? none) : none;
      return here?.kind === 'character' && after !== '' && here.matches(after) ? (later[here.next] ?? none) : none;
    };
    settle(ends, endOf);
    longest[at] = ends[start] ?? none;
    later = ends;
  }
  return longest;
}

/** States without a character may form cycles, so the ends are propagated until none changes. */
function settle(ends: Int32Array, endOf: (state: number) => number): void {
  for (let isSettled = false; !isSettled; ) {
    isSettled = true;
    for (let state = 0; state < ends.length; state += 1) {
      const end = endOf(state);
      if (end <= (ends[state] ?? none)) continue;
      ends[state] = end;
      isSettled = false;
    }
  }
}

function apart(longest: Int32Array): TextSpan[] {
  const found: TextSpan[] = [];
  for (let from = 0; from < longest.length; from += 1) {
    const to = longest[from] ?? none;
    if (to <= from) continue;
    found.push({ from, to });
    from = to - 1;
  }
  return found;
}
