// Replays a stored count from its facts, by the rules of its stamp. The result must be equal.
import type { Db, Trx } from '#core/platform/db.ts';
import { isSameJson } from '#core/platform/pure/same-json.ts';
import { type ActiveRules, pinBundle, type RuleBundle, type TracedCall } from '#rules/rulesets/index.ts';
import { type FidelitySnapshot, shownCountOf } from '../counting/store.ts';
import { compileCounting, countFidelity, type FidelityFacts } from '../engine/count.ts';

export interface CountReplay {
  /** Every evaluation of a table, in order. */
  readonly calls: readonly TracedCall[];
  /** Names of the fields that differ. */
  readonly fields: readonly string[];
}

/** A count with its evaluations of tables. Throws BundleError or RangeError when rules cannot be read. */
export function tracedCount({ documents }: RuleBundle, facts: FidelityFacts) {
  const calls: TracedCall[] = [];
  const observed = pinBundle(documents, (table, asked, hits) => {
    calls.push({ table, facts: asked, hits });
    return hits;
  });
  return { calls, count: countFidelity(facts, compileCounting(observed)).count };
}

/** Throws like `tracedCount`, and ENGINE_UNAVAILABLE. */
export async function replayCount(
  db: Db | Trx,
  rules: Pick<ActiveRules, 'pinned'>,
  snapshot: FidelitySnapshot,
): Promise<CountReplay> {
  const { calls, count } = tracedCount(await rules.pinned(db, snapshot.ruleVersions), snapshot.facts);
  const stored: Readonly<Record<string, unknown>> = { ...shownCountOf(snapshot), ruleId: snapshot.ruleId };
  const again = Object.entries({ ...shownCountOf(count), ruleId: count.ruleId });
  return { calls, fields: again.flatMap(([name, value]) => (isSameJson(value, stored[name]) ? [] : [name])) };
}
