// Where one pattern stands in a text: all its states are followed at once, each with the earliest place that it can have
// begun at. Never more steps than characters times states.
import type { Span } from '../fold/fold.ts';
import { isBorder, type Program } from './program.ts';

/** The leftmost ones, of each the longest, none over another; in units of characters. Empty ones are none. */
export function search({ states, start }: Program, characters: readonly string[]): Span[] {
  const reached = reachedStates(states);
  const found: Span[] = [];
  let active: Thread[] = [];
  for (let at = 0; at <= characters.length; at += 1) {
    const [before, after] = [characters[at - 1] ?? '', characters[at] ?? ''];
    const now = reached.from([...active, { state: start, from: at }], at, before, after);
    active = [];
    for (const { state, from } of now) {
      const here = states[state];
      if (here?.kind === 'found' && from < at) found.push({ from, to: at });
      if (here?.kind === 'character' && after !== '' && here.matches(after)) active.push({ state: here.next, from });
    }
  }
  return apart(found);
}

interface Thread {
  readonly state: number;
  readonly from: number;
}

/** Threads come and go with the earliest beginning first: who reaches a state first stays. */
function reachedStates(states: Program['states']) {
  /** Of each state: the place at which it was reached last. */
  const seen = new Int32Array(states.length).fill(-1);
  const from = (threads: readonly Thread[], at: number, before: string, after: string): Thread[] => {
    const reached: Thread[] = [];
    for (const thread of threads) {
      const open = [thread.state];
      for (let state = open.pop(); state !== undefined; state = open.pop()) {
        if (seen[state] === at) continue;
        seen[state] = at;
        reached.push({ state, from: thread.from });
        const here = states[state];
        if (here?.kind === 'split') open.push(...here.next);
        if (here?.kind === 'border' && isBorder(here.at, before, after)) open.push(here.next);
      }
    }
    return reached;
  };
  return { from };
}

function apart(found: readonly Span[]): Span[] {
  const sorted = [...found].sort((one, other) => one.from - other.from || other.to - one.to);
  let reached = 0;
  return sorted.filter(({ from, to }) => {
    if (from < reached) return false;
    reached = to;
    return true;
  });
}
