// Scores that no child reads: a slip of a finger would be the child's baseline for a whole school year.
import { round4 } from '#core/platform/pure/round.ts';
import type { PlausibleScores } from './cbm-rules.ts';

/** Whether a score needs a person's confirmation. `earlier`: the newest earlier score of the same forms; null without one. */
export function isImplausible(bounds: PlausibleScores | null, score: number, earlier: number | null): boolean {
  if (bounds === null) return false;
  return score > bounds.highest || (earlier !== null && round4(score - earlier) > bounds.highestGain);
}
