// Common code of the RBM and SUBFLAG simulators, which evaluate logged sessions and error patterns.

import {
  collect,
  type DocumentName,
  type ExemplarSlot,
  type ExplainedSlot,
  FactError,
  type Facts,
  type SimulatedBundles,
  type Table,
} from '#rules/rulesets/index.ts';

/** Returns undefined for facts that do not fit the table. */
export function hitsOf(table: Table, facts: Facts) {
  try {
    return collect(table, facts);
  } catch (error) {
    if (error instanceof FactError) return undefined;
    throw error;
  }
}

/**
 * Returns the explained slot. The rule is the one that raised the flag; it is null when the flag is not raised or was
 * kept.
 */
export function explainFlag(
  { before, after }: SimulatedBundles,
  { from, to }: ExemplarSlot,
  name: DocumentName,
  stampId: string,
  facts: Facts,
): ExplainedSlot {
  const sideOf = (table: Table, outcome: string) => {
    const hit = hitsOf(table, facts)?.find((one) => one.outcome === outcome);
    return { ruleId: hit?.ruleId ?? null, outcome, facts };
  };
  return { stampId, table: name, before: sideOf(before.table(name), from), after: sideOf(after.table(name), to) };
}

/**
 * Returns the sorted ids of changed constants that no rule of the table refers to. They act before logging, so that
 * logged facts do not show their effect.
 */
export function changedLimits({ before, after }: SimulatedBundles, name: DocumentName): string[] {
  const [old, young] = [before.table(name).document, after.table(name).document];
  const rules = JSON.stringify([old.rules, young.rules]);
  const ids = new Set([...Object.keys(old.constants ?? {}), ...Object.keys(young.constants ?? {})]);
  const changed = [...ids].filter((id) => old.constants?.[id]?.value !== young.constants?.[id]?.value);
  return changed.filter((id) => !rules.includes(`"valueRef":"${id}"`)).sort();
}
