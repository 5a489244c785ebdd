// Adaptive selection of the most informative item at the current theta that was not seen lately.

import { round4 } from '#core/platform/pure/round.ts';
import type { Item } from '../../../content/engine/index.ts';

/** 1–3: not seen in the last 30 days, within 0.5 logit, within 1.0, any; 4–6: these limits for seen items. */
export type SelectionTier = 1 | 2 | 3 | 4 | 5 | 6;

export interface Selection {
  readonly item: Item;
  readonly tier: SelectionTier;
}

export interface SelectionQuery {
  /** Items of the requested sub-skill and band; items of other cells are never substituted. */
  readonly cell: readonly Item[];
  /** Logits. */
  readonly theta: number;
  /** Items already served in this session or queue. */
  readonly served: ReadonlySet<string>;
  /** Items seen in the 30 days before the session started. */
  readonly seen: ReadonlySet<string>;
  readonly nearLogit: number;
  readonly fairLogit: number;
}

/** Returns the active items that were not served. */
export const eligibleItems = (cell: readonly Item[], served: ReadonlySet<string>): Item[] =>
  cell.filter((item) => item.status === 'active' && !served.has(item.id));

/** Returns the selected item; undefined when none is left. Ties go to the lower item id. */
export function selectNext(wanted: SelectionQuery): Selection | undefined {
  let best: (Selection & { distance: number }) | undefined;
  for (const item of eligibleItems(wanted.cell, wanted.served)) {
    const distance = Math.abs(round4(item.difficulty - wanted.theta));
    const tier = tierOf(distance, wanted.seen.has(item.id), wanted);
    if (!best || precedes({ item, tier, distance }, best)) best = { item, tier, distance };
  }
  return best && { item: best.item, tier: best.tier };
}

type Candidate = Selection & { readonly distance: number };

function precedes(a: Candidate, b: Candidate): boolean {
  if (a.tier !== b.tier) return a.tier < b.tier;
  if (a.distance !== b.distance) return a.distance < b.distance;
  return a.item.id < b.item.id;
}

function tierOf(distance: number, seen: boolean, { nearLogit, fairLogit }: SelectionQuery): SelectionTier {
  if (distance <= nearLogit) return seen ? 4 : 1;
  if (distance <= fairLogit) return seen ? 5 : 2;
  return seen ? 6 : 3;
}
