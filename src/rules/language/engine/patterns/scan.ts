// Whether any of many patterns may stand in a text: one look at each character, with what was worked out before kept.
// Borders count as there: who says no is right, who says yes is asked again by `search.ts`.
import type { Program } from './program.ts';

export type Scan = (characters: readonly string[]) => boolean;

interface Known {
  readonly isFound: boolean;
  readonly states: readonly Place[];
  readonly next: Map<string, Known>;
}

interface Place {
  readonly program: number;
  readonly state: number;
}

const mostKnown = 1_000;
const mostCharacters = 2_000;

export function scanFor(programs: readonly Program[]): Scan {
  if (programs.length === 0) return () => false;
  const begin = programs.map(({ start }, program) => ({ program, state: start }));
  let known = new Map<string, Known>();
  const remembered = (states: readonly Place[]): Known => {
    const key = states.map(({ program, state }) => `${program}.${state}`).join();
    if (known.size > mostKnown) known = new Map();
    const one = known.get(key) ?? { isFound: isFound(programs, states), states, next: new Map() };
    known.set(key, one);
    return one;
  };
  const start = remembered(closure(programs, begin));
  const step = (from: Known, character: string): Known => {
    const there = from.next.get(character);
    if (there) return there;
    const moved = from.states.flatMap((place) => movedBy(programs, place, character));
    const to = remembered(closure(programs, [...begin, ...moved]));
    if (from.next.size < mostCharacters) from.next.set(character, to);
    return to;
  };
  return (characters) => {
    let place = start;
    for (const character of characters) {
      place = step(place, character);
      if (place.isFound) return true;
    }
    return false;
  };
}

const isFound = (programs: readonly Program[], states: readonly Place[]): boolean =>
  states.some(({ program, state }) => programs[program]?.states[state]?.kind === 'found');

function movedBy(programs: readonly Program[], { program, state }: Place, character: string): Place[] {
  const here = programs[program]?.states[state];
  return here?.kind === 'character' && here.matches(character) ? [{ program, state: here.next }] : [];
}

/** With everything that is reached without a character, in a fixed order. */
function closure(programs: readonly Program[], places: readonly Place[]): Place[] {
  const reached = new Map<string, Place>();
  const open = [...places];
  for (let place = open.pop(); place; place = open.pop()) {
    const { program, state } = place;
    const key = `${program}.${state}`;
    if (reached.has(key)) continue;
    reached.set(key, place);
    const here = programs[program]?.states[state];
    if (here?.kind === 'split') open.push(...here.next.map((next) => ({ program, state: next })));
    if (here?.kind === 'border') open.push({ program, state: here.next });
  }
  return [...reached.values()].sort((one, other) => one.program - other.program || one.state - other.state);
}
