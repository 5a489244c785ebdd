// What the simulators of the two tables beside the pipeline share: sessions (RBM) and error patterns (SUBFLAG) are put to them as
// they were logged.

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

/** Undefined for facts that are not those that the table asks for. */
export function hitsOf(table: Table, facts: Facts) {
  try {
    return collect(table, facts);
  } catch (error) {
    if (error instanceof FactError) return undefined;
    throw error;
  }
}

/** The rule is the one that raised the flag; none did where a flag is not raised, or is kept from before. */
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
 * Ids of the table's changed constants that none of its rules compares with, sorted: they act before anything is logged, so that
 * what was logged does not show their effect.
 */
export function changedLimits({ before, after }: SimulatedBundles, name: DocumentName): string[] {
  const [old, young] = [before.table(name).document, after.table(name).document];
  const rules = JSON.stringify([old.rules, young.rules]);
  const ids = new Set([...Object.keys(old.constants ?? {}), ...Object.keys(young.constants ?? {})]);
  const changed = [...ids].filter((id) => old.constants?.[id]?.value !== young.constants?.[id]?.value);
  return changed.filter((id) => !rules.includes(`"valueRef":"${id}"`)).sort();
}
