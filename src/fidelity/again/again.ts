// A stored count made again from what it was counted from, with the rules that it is stamped with: it must come out the same.
import type { Db, Trx } from '../../platform/db.ts';
import { isSameJson } from '../../platform/pure/same-json.ts';
import { type ActiveRules, pinBundle, type TracedCall } from '../../rulesets/index.ts';
import { type Snapshot, shownOf } from '../counting/store.ts';
import { compileCounting, countFidelity } from '../engine/count.ts';

export interface CountedAgain {
  /** Every question that was put to a table, in order. */
  readonly calls: readonly TracedCall[];
  /** Names of what differs; empty when nothing does. */
  readonly fields: readonly string[];
}

/** Throws ENGINE_UNAVAILABLE, BundleError or RangeError when rules cannot be read. */
export async function countedAgain(
  db: Db | Trx,
  rules: Pick<ActiveRules, 'pinned'>,
  snapshot: Snapshot,
): Promise<CountedAgain> {
  const { documents } = await rules.pinned(db, snapshot.ruleVersions);
  const calls: TracedCall[] = [];
  const observed = pinBundle(documents, (table, facts, hits) => {
    calls.push({ table, facts, hits });
    return hits;
  });
  const { count } = countFidelity(snapshot.facts, compileCounting(observed));
  const stored: Readonly<Record<string, unknown>> = { ...shownOf(snapshot), ruleId: snapshot.ruleId };
  const again = Object.entries({ ...shownOf(count), ruleId: count.ruleId });
  return { calls, fields: again.flatMap(([name, value]) => (isSameJson(value, stored[name]) ? [] : [name])) };
}
