// The password of every account that tests make, and what hashing costs meanwhile: little, unless the cost is what is
// tested.
import type { Test } from 'uvu';
import { fullHashCost, type HashCost, hashPassword, setHashCost } from '#identity/people/credentials/passwords.ts';

/** What `passwordHash` is the hash of. */
export const password = 'a long enough password';

/** 1 MiB instead of 19: a millisecond instead of twenty. Tries at the same moment still meet while it passes. */
const lowHashCost: HashCost = { memoryCost: 1_024, timeCost: 2, parallelism: 1 };

const hashes = new Map<HashCost, Promise<string>>();
let current = fullHashCost;

/** Hashes at low cost from the file's first test to its last, or at full cost where the time of hashing matters. */
export function useHashCost<Context>(test: Test<Context>, full = false): void {
  test.before(() => change(full ? fullHashCost : lowHashCost));
  test.after(() => change(fullHashCost));
}

function change(cost: HashCost): void {
  current = cost;
  setHashCost(cost);
}

/** Computed once a process and cost. */
export function passwordHash(): Promise<string> {
  const hash = hashes.get(current) ?? hashPassword(password);
  hashes.set(current, hash);
  return hash;
}
