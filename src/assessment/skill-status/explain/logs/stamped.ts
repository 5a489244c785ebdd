// Replays the questions of log rows with the rules of their stamps.

import type { Services } from '#core/module/services.ts';
import { type Facts, replayQuestion, type TracedCall } from '#rules/rulesets/index.ts';

interface StampedFacts {
  readonly facts: Facts;
  /** `RBM@1` */
  readonly ruleVersion: string;
}

/** Returns the version in a stamp: `RBM@1` → 1. */
export const versionIn = (ruleVersion: string): number => Number(ruleVersion.split('@')[1]);

/**
 * Returns no call for facts that do not fit the table. Throws ENGINE_UNAVAILABLE when the stamped document cannot be
 * read.
 */
export async function replayStampedQuestion(
  { db, rules }: Pick<Services, 'db' | 'rules'>,
  name: 'rbm/rbm' | 'subflag/subflag',
  { facts, ruleVersion }: StampedFacts,
): Promise<readonly TracedCall[]> {
  const bundle = await rules.pinned(db, { [name]: versionIn(ruleVersion) });
  const call = replayQuestion(bundle.table(name), facts);
  return call ? [call] : [];
}
