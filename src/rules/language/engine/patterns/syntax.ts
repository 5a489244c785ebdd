// The subset of regular expressions that rules may use, chosen so that no backtracking is needed: no look-around, no
// back-reference, no quantifier on a group that contains one; at most 200 characters.

export type Syntax =
  | { readonly kind: 'character'; readonly matches: (character: string) => boolean }
  | { readonly kind: 'border'; readonly at: 'start' | 'end' | 'word' | 'inside' }
  | { readonly kind: 'sequence'; readonly parts: readonly Syntax[] }
  | { readonly kind: 'choice'; readonly parts: readonly Syntax[] }
  | { readonly kind: 'repeat'; readonly part: Syntax; readonly least: number; readonly most: number | null };

/** An unsupported pattern. The message gives the reason. */
export class PatternError extends Error {
  override readonly name = 'PatternError';
}

const longestPattern = 200;
const mostRepeats = 100;

/** Throws PatternError. */
export function parsePattern(pattern: string): Syntax {
  if ([...pattern].length > longestPattern) throw new PatternError(`is longer than ${longestPattern} characters`);
  try {
    new RegExp(pattern, 'u');
  } catch (error) {
    throw new PatternError(`is no regular expression: ${error instanceof Error ? error.message : String(error)}`);
  }
  const reader = new Reader(pattern);
  const parsed = choice(reader);
  if (!reader.isAtEnd) throw new PatternError('has a bracket that closes nothing');
  return parsed;
}

class Reader {
  readonly #units: readonly string[];
  #at = 0;
  constructor(pattern: string) {
    this.#units = [...pattern];
  }
  get isAtEnd(): boolean {
    return this.#at >= this.#units.length;
  }
  peek(ahead = 0): string {
    return this.#units[this.#at + ahead] ?? '';
  }
  take(): string {
    this.#at += 1;
    return this.#units[this.#at - 1] ?? '';
  }
  takeIf(wanted: string): boolean {
    const isThere = [...wanted].every((unit, ahead) => this.peek(ahead) === unit);
    if (isThere) this.#at += [...wanted].length;
    return isThere;
  }
  /** Consumes up to and including the first `end` outside an escape. */
  takeThrough(end: string): string {
    let taken = '';
    while (!this.isAtEnd) {
      const unit = this.take();
      taken += unit;
      if (unit === '\\') taken += this.take();
      else if (unit === end) break;
    }
    return taken;
  }
}

function choice(reader: Reader): Syntax {
  const parts = [sequence(reader)];
  while (reader.takeIf('|')) parts.push(sequence(reader));
  return parts.length === 1 ? (parts[0] as Syntax) : { kind: 'choice', parts };
}

function sequence(reader: Reader): Syntax {
  const parts: Syntax[] = [];
  while (!reader.isAtEnd && reader.peek() !== '|' && reader.peek() !== ')') parts.push(repeated(reader));
  return { kind: 'sequence', parts };
}

function repeated(reader: Reader): Syntax {
  const part = atom(reader);
  const range = quantifier(reader);
  if (!range) return part;
  if (holdsRepeat(part)) throw new PatternError('repeats a group that repeats something itself');
  if (Math.max(range.least, range.most ?? 0) > mostRepeats) throw new PatternError(`repeats over ${mostRepeats} times`);
  reader.takeIf('?');
  return { kind: 'repeat', part, ...range };
}

const holdsRepeat = (syntax: Syntax): boolean =>
  syntax.kind === 'repeat' || ('parts' in syntax && syntax.parts.some(holdsRepeat));

function quantifier(reader: Reader): { readonly least: number; readonly most: number | null } | undefined {
  if (reader.takeIf('*')) return { least: 0, most: null };
  if (reader.takeIf('+')) return { least: 1, most: null };
  if (reader.takeIf('?')) return { least: 0, most: 1 };
  if (reader.peek() !== '{') return undefined;
  const [, least = '', comma, most] = /^\{(\d+)(?:(,)(\d+)?)?\}$/.exec(reader.takeThrough('}')) ?? [];
  const from = Number(least);
  return { least: from, most: comma === undefined ? from : most === undefined ? null : Number(most) };
}

function atom(reader: Reader): Syntax {
  if (reader.peek() === '(') return group(reader);
  if (reader.peek() === '[') return characterOf(reader.takeThrough(']'));
  if (reader.peek() === '\\') return escaped(reader);
  const unit = reader.take();
  if (unit === '^') return { kind: 'border', at: 'start' };
  if (unit === '$') return { kind: 'border', at: 'end' };
  if (unit === '.') return characterOf('.');
  return literal(unit);
}

function group(reader: Reader): Syntax {
  reader.take();
  if (reader.peek() === '?' && !reader.takeIf('?:')) throw new PatternError('looks around, or names a group');
  const inside = choice(reader);
  if (!reader.takeIf(')')) throw new PatternError('has a bracket that is not closed');
  return inside;
}

function escaped(reader: Reader): Syntax {
  reader.take();
  const unit = reader.take();
  if (unit === 'b') return { kind: 'border', at: 'word' };
  if (unit === 'B') return { kind: 'border', at: 'inside' };
  if (/[1-9k]/.test(unit)) throw new PatternError('refers back to a group');
  if (unit === 'p' || unit === 'P') return characterOf(`\\${unit}${reader.takeThrough('}')}`);
  if (unit === 'u' && reader.peek() === '{') return characterOf(`\\u${reader.takeThrough('}')}`);
  if (unit === 'u') return characterOf(`\\u${reader.take()}${reader.take()}${reader.take()}${reader.take()}`);
  if (unit === 'x') return characterOf(`\\x${reader.take()}${reader.take()}`);
  if (unit === 'c') return characterOf(`\\c${reader.take()}`);
  return characterOf(`\\${unit}`);
}

const literal = (unit: string): Syntax => {
  const both = new Set([unit, unit.toLowerCase()]);
  return { kind: 'character', matches: (character) => both.has(character) };
};

/**
 * A single character class, evaluated by the built-in RegExp. Folded text is lower case: a class of capital letters
 * also matches the small ones, and one that excludes capitals also excludes the small ones.
 */
function characterOf(source: string): Syntax {
  const one = new RegExp(`^${source}$`, 'u');
  const excludes = source.startsWith('[^') || /^\\[PDWS]/.test(source);
  const known = new Map<string, boolean>();
  const asked = (character: string): boolean => {
    const [small, capital] = [one.test(character), one.test(character.toUpperCase())];
    const isSameLetter = [...character.toUpperCase()].length === 1;
    if (!isSameLetter) return small;
    return excludes ? small && capital : small || capital;
  };
  return {
    kind: 'character',
    matches: (character) => {
      const answer = known.get(character) ?? asked(character);
      if (known.size < mostKnown) known.set(character, answer);
      return answer;
    },
  };
}

const mostKnown = 4_096;
