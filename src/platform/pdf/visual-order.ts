// Arabic on a printed page: pdfmake breaks lines in the order of reading and sets words from left to right, so each finished
// line is put into the order in which the eye meets it. The rules of the Unicode Bidirectional Algorithm (UAX #9) that names
// and sentences need: strong letters, numbers with their separators, neutrals, mirrored brackets; no explicit embeddings.

/** A piece of one direction; inside it the font's shaping does the rest. */
export interface Run {
  readonly text: string;
  readonly rightToLeft: boolean;
}

type Kind = 'R' | 'L' | 'number' | 'neutral';

const mirrored: Readonly<Record<string, string>> = {
  '(': ')',
  ')': '(',
  '[': ']',
  ']': '[',
  '{': '}',
  '}': '{',
  '«': '»',
  '»': '«',
  '<': '>',
  '>': '<',
};

/** A right-to-left paragraph as runs in the order of reading, brackets mirrored. Bidi controls are dropped. */
export function readingRuns(paragraph: string): Run[] {
  const characters = [
    ...paragraph.normalize('NFC').replaceAll(/[\u200e\u200f\u202a-\u202e\u2066-\u2069\p{Cc}]/gu, ' '),
  ];
  const levels = levelsOf(characters);
  const runs: { text: string; rightToLeft: boolean }[] = [];
  for (const [index, character] of characters.entries()) {
    const rightToLeft = levels[index] !== 2;
    const text = rightToLeft ? mirroredText(character) : character;
    const last = runs.at(-1);
    if (last?.rightToLeft === rightToLeft) last.text += text;
    else runs.push({ text, rightToLeft });
  }
  return runs;
}

/** Mirrored twice a text is as it was. */
export const mirroredText = (text: string): string =>
  [...text].map((character) => mirrored[character] ?? character).join('');

/** Pieces of one line in the order of reading, as the eye meets them from left to right (L2). */
export function inVisualOrder<Piece>(pieces: readonly Piece[], isRightToLeft: (piece: Piece) => boolean): Piece[] {
  const ordered: Piece[] = [];
  let leftToRight: Piece[] = [];
  for (const piece of pieces) {
    if (!isRightToLeft(piece)) leftToRight.push(piece);
    else {
      ordered.push(...leftToRight.reverse(), piece);
      leftToRight = [];
    }
  }
  return [...ordered, ...leftToRight.reverse()].reverse();
}

/** 1: right to left; 2: left to right inside it. */
function levelsOf(characters: readonly string[]): number[] {
  const kinds = withBrackets(characters, withNumbers(characters, characters.map(kindOf)));
  return kinds.map((kind, index) => {
    if (kind === 'L' || kind === 'number') return 2;
    if (kind === 'R') return 1;
    return neighbour(kinds, index, -1) === 'L' && neighbour(kinds, index, 1) === 'L' ? 2 : 1;
  });
}

function kindOf(character: string): Kind {
  if (/\p{Nd}/u.test(character)) return 'number';
  if (/[\p{Script_Extensions=Arabic}\p{Script=Hebrew}]/u.test(character) && /[\p{L}\p{M}]/u.test(character)) return 'R';
  return /\p{L}/u.test(character) ? 'L' : 'neutral';
}

/**
 * Marks belong to their letter (W1), one separator between digits to the number (W4), a number after Latin to it (W7). A
 * hyphen counts as a separator everywhere: readers expect a date to keep its order; and a sign of per cent stays behind its number.
 */
function withNumbers(characters: readonly string[], kinds: readonly Kind[]): Kind[] {
  const settled: Kind[] = [];
  for (const [index, kind] of kinds.entries()) {
    const character = characters[index] ?? '';
    const before = settled[index - 1] ?? 'R';
    const joins = /[.,:/-]/.test(character) && kinds[index - 1] === 'number' && kinds[index + 1] === 'number';
    const ends = character === '%' && before === 'number';
    if (/\p{M}/u.test(character) || joins || ends) settled.push(before);
    else if (/[0-9]/.test(character) && lastStrong(settled) === 'L') settled.push('L');
    else settled.push(kind);
  }
  return settled;
}

const closing: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

/** A pair of brackets around Latin alone, after Latin, is Latin; every other pair follows the paragraph (N0). */
function withBrackets(characters: readonly string[], kinds: readonly Kind[]): Kind[] {
  const settled = [...kinds];
  for (const [open, character] of characters.entries()) {
    const close = closing[character] === undefined ? -1 : characters.indexOf(closing[character], open);
    if (close < 0) continue;
    const inside = kinds.slice(open + 1, close);
    const latin = inside.includes('L') && !inside.includes('R') && !inside.includes('number');
    const kind = latin && lastStrong(settled.slice(0, open)) === 'L' ? 'L' : 'R';
    settled[open] = kind;
    settled[close] = kind;
  }
  return settled;
}

const lastStrong = (kinds: readonly Kind[]): Kind | undefined => kinds.findLast((kind) => kind === 'L' || kind === 'R');

/** The nearest kind that is not neutral; beyond the line's ends the paragraph is right to left. */
function neighbour(kinds: readonly Kind[], index: number, step: 1 | -1): Kind {
  let at = index;
  while (kinds[at] === 'neutral') at += step;
  return kinds[at] ?? 'R';
}
