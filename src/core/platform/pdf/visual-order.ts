// The visual order of Arabic on a page: pdfmake breaks lines in logical order and sets words from left to right, so each
// finished line is reordered by the levels of UAX #9 (`bidi.ts`), with mirrored brackets.
import { levelsOf } from './bidi.ts';

/** A piece of one direction, whose letters the font shapes. */
export interface Run {
  readonly text: string;
  readonly rightToLeft: boolean;
}

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
  '‹': '›',
  '›': '‹',
};

/** Marks, embeddings and isolates of direction: a page has one direction, and a font would draw them as gaps. */
const directions = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/**
 * Splits a right-to-left paragraph into runs in logical order, with mirrored brackets. Bidi controls are removed, other control
 * characters become spaces.
 */
export function readingRuns(paragraph: string): Run[] {
  const characters = [
    ...paragraph
      .normalize('NFC')
      .replaceAll(directions, '')
      .replaceAll(/\p{Cc}/gu, ' '),
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

/** Replaces each bracket by its mirror image. */
export const mirroredText = (text: string): string =>
  [...text].map((character) => mirrored[character] ?? character).join('');

/** Returns the pieces of one line in visual order from left to right (L2). */
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
