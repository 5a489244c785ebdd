// The password of all test accounts, and the cost of hashing it: low, unless the test is about the cost.
import type { Test } from 'uvu';
import { fullHashCost, type HashCost, hashPassword, setHashCost } from '#identity/people/credentials/passwords.ts';

/** The password that `passwordHash` was made from. */
export const password = 'a long enough password';

/** 1 MiB instead of 19: one millisecond instead of twenty. Simultaneous attempts still overlap. */
const lowHashCost: HashCost = { memoryCost: 1_024, timeCost: 2, parallelism: 1 };

const hashes = new Map<HashCost, Promise<string>>();
let current = fullHashCost;

/**
 * Hashes at low cost from the file's first test to its last, or at full cost where the test is about the hashing time.
 */
export function useHashCost<Context>(test: Test<Context>, full = false): void {
  test.before(() => change(full ? fullHashCost : lowHashCost));
  test.after(() => change(fullHashCost));
}

function change(cost: HashCost): void {
  current = cost;
  setHashCost(cost);
}

/** Computed once for each process and cost. */
export function passwordHash(): Promise<string> {
  const hash = hashes.get(current) ?? hashPassword(password);
  hashes.set(current, hash);
  return hash;
}
