// Tests whether any of many patterns may match a text, with one cached step per character. Border conditions are
// assumed to hold: a negative result is final, and a positive one is verified by `search.ts`.
import type { Program } from './program.ts';

export type Scan = (characters: readonly string[]) => boolean;

interface DfaState {
  readonly isFound: boolean;
  readonly states: readonly NfaState[];
  readonly next: Map<string, DfaState>;
}

interface NfaState {
  readonly program: number;
  readonly state: number;
}

const mostKnown = 1_000;
const mostCharacters = 2_000;

export function scanFor(programs: readonly Program[]): Scan {
  if (programs.length === 0) return () => false;
  const begin = programs.map(({ start }, program) => ({ program, state: start }));
  let known = new Map<string, DfaState>();
  const remembered = (states: readonly NfaState[]): DfaState => {
    const key = states.map(({ program, state }) => `${program}.${state}`).join();
    if (known.size > mostKnown) known = new Map();
    const one = known.get(key) ?? { isFound: isFound(programs, states), states, next: new Map() };
    known.set(key, one);
    return one;
  };
  const start = remembered(closure(programs, begin));
  const step = (from: DfaState, character: string): DfaState => {
    const there = from.next.get(character);
    if (there) return there;
    const moved = from.states.flatMap((nfaState) => movedBy(programs, nfaState, character));
    const to = remembered(closure(programs, [...begin, ...moved]));
    if (from.next.size < mostCharacters) from.next.set(character, to);
    return to;
  };
  return (characters) => {
    let state = start;
    for (const character of characters) {
      state = step(state, character);
      if (state.isFound) return true;
    }
    return false;
  };
}

const isFound = (programs: readonly Program[], states: readonly NfaState[]): boolean =>
  states.some(({ program, state }) => programs[program]?.states[state]?.kind === 'found');

function movedBy(programs: readonly Program[], { program, state }: NfaState, character: string): NfaState[] {
  const here = programs[program]?.states[state];
  return here?.kind === 'character' && here.matches(character) ? [{ program, state: here.next }] : [];
}

/** Adds the states that are reachable without a character, in a fixed order. */
function closure(programs: readonly Program[], nfaStates: readonly NfaState[]): NfaState[] {
  const reached = new Map<string, NfaState>();
  const open = [...nfaStates];
  for (let nfaState = open.pop(); nfaState; nfaState = open.pop()) {
    const { program, state } = nfaState;
    const key = `${program}.${state}`;
    if (reached.has(key)) continue;
    reached.set(key, nfaState);
    const here = programs[program]?.states[state];
    if (here?.kind === 'split') open.push(...here.next.map((next) => ({ program, state: next })));
    if (here?.kind === 'border') open.push({ program, state: here.next });
  }
  return [...reached.values()].sort((one, other) => one.program - other.program || one.state - other.state);
}
