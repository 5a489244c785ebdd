// A pattern as a nondeterministic automaton. All states are followed at once, so that each character is read once.
import { isWordAt } from '../fold/letters.ts';
import { PatternError, type Syntax } from './syntax.ts';

type Border = Extract<Syntax, { kind: 'border' }>['at'];

export type State =
  | { readonly kind: 'character'; readonly matches: (character: string) => boolean; readonly next: number }
  | { readonly kind: 'border'; readonly at: Border; readonly next: number }
  | { readonly kind: 'split'; readonly next: readonly number[] }
  | { readonly kind: 'found' };

export interface Program {
  readonly states: readonly State[];
  readonly start: number;
}

/** Maximum number of states of one pattern after repeats are unrolled; it bounds the work per character. */
const mostStates = 250;

/** Throws PatternError. */
export function programOf(syntax: Syntax): Program {
  const states: State[] = [{ kind: 'found' }];
  const put = (state: State): number => {
    if (states.length >= mostStates) throw new PatternError('repeats too much');
    return states.push(state) - 1;
  };
  return { start: written(syntax, 0, put, states), states };
}

/** Compiles from the end to the beginning. `next` is the following state. Returns the first state. */
function written(syntax: Syntax, next: number, put: (state: State) => number, states: State[]): number {
  switch (syntax.kind) {
    case 'character':
      return put({ ...syntax, next });
    case 'border':
      return put({ ...syntax, next });
    case 'sequence':
      return syntax.parts.reduceRight((after, part) => written(part, after, put, states), next);
    case 'choice':
      return put({ kind: 'split', next: syntax.parts.map((part) => written(part, next, put, states)) });
    case 'repeat':
      return repeat(syntax, next, put, states);
  }
}

function repeat(
  { part, least, most }: Extract<Syntax, { kind: 'repeat' }>,
  next: number,
  put: (state: State) => number,
  states: State[],
): number {
  let after = next;
  if (most === null) {
    const loop = put({ kind: 'split', next: [] });
    const inside = written(part, loop, put, states);
    states[loop] = { kind: 'split', next: [inside, next] };
    after = loop;
  } else {
    for (let extra = least; extra < most; extra += 1) {
      after = put({ kind: 'split', next: [written(part, after, put, states), next] });
    }
  }
  for (let count = 0; count < least; count += 1) after = written(part, after, put, states);
  return after;
}

/** Returns whether the border condition holds before the character at `at`. */
export function isBorder(border: Border, before: string, after: string): boolean {
  if (border === 'start') return before === '';
  if (border === 'end') return after === '';
  const changes = isInWord(before) !== isInWord(after);
  return changes === (border === 'word');
}

const isInWord = (character: string): boolean => character !== '' && (character === '_' || isWordAt(character, 0));
