// Folds a text for comparison and keeps the position of each unit in the original.
import { entityAt, type Piece } from './entities.ts';
import { type FoldCodePoint, foldExactly, foldLoosely, isMark } from './letters.ts';

export interface FoldedText {
  readonly text: string;
  /**
   * For each unit of `text`, the start of its character in the original and the end including the marks that follow.
   */
  readonly starts: readonly number[];
  readonly ends: readonly number[];
  /** Spans of `text` that a direction override displays reversed. */
  readonly overridden: readonly TextSpan[];
}

export interface TextSpan {
  readonly from: number;
  readonly to: number;
}

const popDirection = 0x202c;
const embeddings: ReadonlySet<number> = new Set([0x202a, 0x202b]);
const overrides: ReadonlySet<number> = new Set([0x202d, 0x202e]);

const ampersand = 0x26;

/** Returns a decoded entity or a surrogate pair; undefined for a unit that is a character by itself. */
function longPiece(text: string, at: number, code: number): Piece | undefined {
  if (code === ampersand) return entityAt(text, at);
  if (code < 0xd800 || code > 0xdbff) return undefined;
  const codePoint = text.codePointAt(at) ?? code;
  return { codePoint, length: codePoint > 0xffff ? 2 : 1 };
}

/** Returns the folded text in time linear in its length. */
export function foldText(original: string, isExact = false): FoldedText {
  const fold: FoldCodePoint = isExact ? foldExactly : foldLoosely;
  const [starts, ends]: [number[], number[]] = [[], []];
  const directions = directionStack();
  let text = '';
  for (let at = 0; at < original.length; ) {
    const code = original.charCodeAt(at);
    const { codePoint, length } = longPiece(original, at, code) ?? { codePoint: code, length: 1 };
    const units = fold(codePoint);
    if (units === '') {
      directions.see(codePoint, text.length);
      if (isMark(codePoint) && ends.at(-1) === at) ends[ends.length - 1] = at + length;
    }
    for (let unit = 0; unit < units.length; unit += 1) {
      starts.push(at);
      ends.push(at + length);
    }
    text += units;
    at += length;
  }
  return marksInOrder({ text, starts, ends, overridden: directions.spans(text.length) });
}

/** Tracks which spans are under a direction override, counting nested embeddings. */
function directionStack() {
  const open: { readonly isOverride: boolean; readonly from: number }[] = [];
  const found: TextSpan[] = [];
  const close = (to: number) => {
    const last = open.pop();
    if (last?.isOverride && to > last.from) found.push({ from: last.from, to });
  };
  return {
    see(codePoint: number, at: number) {
      if (codePoint === popDirection) close(at);
      else if (overrides.has(codePoint)) open.push({ isOverride: true, from: at });
      else if (embeddings.has(codePoint)) open.push({ isOverride: false, from: at });
    },
    /** Spans that are open at the end of the text end there; a span within another one is merged into it. */
    spans(end: number): readonly TextSpan[] {
      while (open.length > 0) close(end);
      const sorted = [...found].sort((left, right) => left.from - right.from || right.to - left.to);
      let reached = 0;
      return sorted.filter(({ from, to }) => {
        if (from < reached) return false;
        reached = to;
        return true;
      });
    },
  };
}

/** Two marks of one letter mean the same in both orders. Their code points are put in canonical order. */
const marksInOrder = (folded: FoldedText): FoldedText => ({
  ...folded,
  text: folded.text.replace(/[\u064b-\u0652\u0670]{2,}/g, (marks) => [...marks].sort().join('')),
});
