// What a provider is told once something is certain, and nobody waits for.

import type { Trx } from '#core/platform/db.ts';
import { outermostOf } from '#core/platform/pubsub/publisher.ts';

/** Not at all where the transaction is undone. */
export function afterCommit(trx: Trx, work: () => Promise<void>, failed: (error: unknown) => void): void {
  outermostOf(trx).executionPromise.then(
    () => work().catch(failed),
    () => {},
  );
}
