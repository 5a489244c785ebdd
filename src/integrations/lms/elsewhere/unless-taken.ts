// Addresses and identities are one person's in all organizations: of two who want one at the same time the second hears whose
// row it is.

import type { Trx } from '#core/platform/db.ts';
import { TakenMeanwhile } from '#identity/people/index.ts';

/** Writes in a savepoint, so that `refuse` can still look; it throws. */
export async function unlessTaken(
  trx: Trx,
  write: (savepoint: Trx) => Promise<void>,
  refuse: () => Promise<never>,
): Promise<void> {
  try {
    await trx.transaction(write);
  } catch (error) {
    if (!(error instanceof TakenMeanwhile)) throw error;
    await refuse();
  }
}
