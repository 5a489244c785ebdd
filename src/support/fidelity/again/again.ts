// A stored count made again from what it was counted from, with the rules that it is stamped with: it must come out the same.
import type { Db, Trx } from '#core/platform/db.ts';
import { isSameJson } from '#core/platform/pure/same-json.ts';
import { type ActiveRules, pinBundle, type RuleBundle, type TracedCall } from '#rules/rulesets/index.ts';
import { type Snapshot, shownOf } from '../counting/store.ts';
import { compileCounting, countFidelity, type FidelityFacts } from '../engine/count.ts';

export interface CountedAgain {
  /** Every question that was put to a table, in order. */
  readonly calls: readonly TracedCall[];
  /** Names of what differs; empty when nothing does. */
  readonly fields: readonly string[];
}

/** A count with the questions behind it. Throws BundleError or RangeError when rules cannot be read. */
export function tracedCount({ documents }: RuleBundle, facts: FidelityFacts) {
  const calls: TracedCall[] = [];
  const observed = pinBundle(documents, (table, asked, hits) => {
    calls.push({ table, facts: asked, hits });
    return hits;
  });
  return { calls, count: countFidelity(facts, compileCounting(observed)).count };
}

/** Throws as `tracedCount`, and ENGINE_UNAVAILABLE. */
export async function countedAgain(
  db: Db | Trx,
  rules: Pick<ActiveRules, 'pinned'>,
  snapshot: Snapshot,
): Promise<CountedAgain> {
  const { calls, count } = tracedCount(await rules.pinned(db, snapshot.ruleVersions), snapshot.facts);
  const stored: Readonly<Record<string, unknown>> = { ...shownOf(snapshot), ruleId: snapshot.ruleId };
  const again = Object.entries({ ...shownOf(count), ruleId: count.ruleId });
  return { calls, fields: again.flatMap(([name, value]) => (isSameJson(value, stored[name]) ? [] : [name])) };
}
