// Loads the ten items of a grade, or the items of a session. An incomplete set is refused.

import type { Trx } from '#core/platform/db.ts';
import { type ItemSetNames, itemsOfSet, type TeaserItem, teaserContent } from '../content/index.ts';
import type { TeaserValues } from './engine/values.ts';
import { TeaserItemSet } from './store.ts';
import { teaserUnavailable } from './unavailable.ts';

const content = teaserContent();

export interface ActiveSet {
  readonly set: TeaserItemSet;
  readonly items: readonly TeaserItem[];
}

/** Throws TEASER_UNAVAILABLE when the grade has no active set, or when rules or items do not fit it. */
export async function activeSet(trx: Trx, grade: number, values: TeaserValues): Promise<ActiveSet> {
  const set = await TeaserItemSet.query(trx).findOne({ grade, status: 'active' });
  if (!set || set.subSkillId !== values.subSkills.get(grade)) throw teaserUnavailable();
  return { set, items: await wholeSet(set, set.version, values) };
}

/** Throws TEASER_UNAVAILABLE unless all of the set's items can be served. */
export async function wholeSet(set: ItemSetNames, version: number, values: TeaserValues): Promise<TeaserItem[]> {
  const byId = await content(version).catch(() => undefined);
  const items = byId && itemsOfSet(set, byId, values.itemCount);
  if (!items) throw teaserUnavailable();
  return items;
}
