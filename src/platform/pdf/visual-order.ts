// Arabic on a printed sheet: pdfmake sets words from left to right, so a line is handed over in the order in which the
// eye meets it. The rules of the Unicode Bidirectional Algorithm (UAX #9) that names and labels need: strong letters,
// numbers with their separators, neutrals, mirrored brackets; no explicit embeddings.

/** A piece of one direction, left to right on the page; inside it the font's shaping does the rest. */
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

/** One line of a right-to-left paragraph as runs in visual order. Bidi controls are dropped. */
export function visualRuns(line: string): Run[] {
  const characters = [...line.normalize('NFC').replaceAll(/[\u200e\u200f\u202a-\u202e\u2066-\u2069\p{Cc}]/gu, ' ')];
  const levels = levelsOf(characters);
  const runs: { text: string; level: number }[] = [];
  for (const [index, character] of characters.entries()) {
    const level = levels[index] ?? 1;
    const text = level === 1 ? (mirrored[character] ?? character) : character;
    const last = runs.at(-1);
    if (last?.level === level) last.text += text;
    else runs.push({ text, level });
  }
  return runs.reverse().map(({ text, level }) => ({ text, rightToLeft: level === 1 }));
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
  if (/[\p{Script=Arabic}\p{Script=Hebrew}]/u.test(character) && /[\p{L}\p{M}ـ]/u.test(character)) return 'R';
  return /\p{L}/u.test(character) ? 'L' : 'neutral';
}

/**
 * Marks belong to their letter (W1), one separator between digits to the number (W4), a number after Latin to it (W7). A
 * hyphen counts as a separator everywhere: readers expect a date to keep its order.
 */
function withNumbers(characters: readonly string[], kinds: readonly Kind[]): Kind[] {
  const settled: Kind[] = [];
  for (const [index, kind] of kinds.entries()) {
    const character = characters[index] ?? '';
    const before = settled[index - 1] ?? 'R';
    const joins = /[.,:/-]/.test(character) && kinds[index - 1] === 'number' && kinds[index + 1] === 'number';
    if (/\p{M}/u.test(character) || joins) settled.push(before);
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

/** Lines of at most `width` characters, broken between words, in logical order. A longer word stands alone. */
export function brokenLines(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/).filter((part) => part !== '')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
