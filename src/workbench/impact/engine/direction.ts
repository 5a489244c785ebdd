// Whether a change of outcome is for the better: only two words of one scale can tell.
import { type TileStatus, tileValues } from '../../../skill-status/index.ts';
import type { Direction, ReportLayer } from './vocabulary.ts';

/** Worst to best, by layer; a layer without a scale has none. */
export type Scales = Partial<Readonly<Record<ReportLayer, readonly string[]>>>;

/** They say what is not known. */
const unknown: readonly TileStatus[] = ['Contextual', 'Partial'];
export const orderedTiles: readonly string[] = tileValues.filter((value) => !unknown.includes(value));

export function directionOf(scale: readonly string[], from: string, to: string): Direction {
  if (from === to) return 'same';
  const [before, after] = [scale.indexOf(from), scale.indexOf(to)];
  if (before < 0 || after < 0) return 'lateral';
  return after > before ? 'better' : 'worse';
}
