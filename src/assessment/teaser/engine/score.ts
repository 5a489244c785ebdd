// Scores a teaser: ten answers give one band. The theta behind it stays on the server.

import { round4 } from '#core/platform/pure/round.ts';
import type { TeaserItem } from '../../content/engine/index.ts';
import { estimateAbility } from '../../measurement/engine/index.ts';
import type { TeaserValues } from './values.ts';

/** Item id → chosen option. */
export type Choices = ReadonlyMap<string, number>;

export interface TeaserScore {
  /** Logits, 4 decimals. */
  readonly theta: number;
  readonly band: TeaserValues['bands'][number];
}

/** Returns the score. An item without a choice counts as wrong; the band is derived from the rounded theta. */
export function scoreTeaser(items: readonly TeaserItem[], choices: Choices, { bands }: TeaserValues): TeaserScore {
  const scored = items.map(({ id, difficulty, correctIndex }) => ({
    itemId: id,
    difficultyLogit: difficulty,
    correct: choices.get(id) === correctIndex,
  }));
  const theta = round4(estimateAbility(scored).theta);
  const band = bands.find(({ minLogit }) => theta >= minLogit);
  if (!band) throw new RangeError(`no band holds ${theta}`);
  return { theta, band };
}
