// Whether a change of outcome is for the better, which only two outcomes of one scale can show.
import { type TileStatus, tileValues } from '#assessment/skill-status/engine/index.ts';
import type { Scale } from '#rules/rulesets/engine/index.ts';
import type { Direction } from './vocabulary.ts';

/** By layer; a layer without a scale has none. */
export type Scales = Readonly<Record<string, Scale>>;

/** Statuses of tiles that are not known, or not in full. */
const unknown: readonly TileStatus[] = ['Contextual', 'Partial'];
export const orderedTiles: readonly string[] = tileValues.filter((value) => !unknown.includes(value));

export function directionOf(scale: Scale, from: string, to: string): Direction {
  if (from === to) return 'same';
  const placeOf = (word: string) => (scale === 'numbers' ? Number(word) : scale.indexOf(word));
  const [before, after] = [placeOf(from), placeOf(to)];
  if (before < 0 || after < 0) return 'lateral';
  return after > before ? 'better' : 'worse';
}
