// The rules that a row beside the pipeline is stamped with, and what they say to its facts.

import type { Services } from '#core/module/services.ts';
import { askAgain, type Facts, type TracedCall } from '#rules/rulesets/index.ts';

interface StampedFacts {
  readonly facts: Facts;
  /** `RBM@1` */
  readonly ruleVersion: string;
}

/** `RBM@1` → 1 */
export const versionIn = (ruleVersion: string): number => Number(ruleVersion.split('@')[1]);

/**
 * Empty for facts that the table cannot be asked with. Throws ENGINE_UNAVAILABLE when the stamped document cannot be
 * read.
 */
export async function askStamped(
  { db, rules }: Pick<Services, 'db' | 'rules'>,
  name: 'rbm/rbm' | 'subflag/subflag',
  { facts, ruleVersion }: StampedFacts,
): Promise<readonly TracedCall[]> {
  const bundle = await rules.pinned(db, { [name]: versionIn(ruleVersion) });
  const call = askAgain(bundle.table(name), facts);
  return call ? [call] : [];
}
