// What the workbench brings to the services of every handler.
import type { Trx } from '#core/platform/db.ts';
import type { WorkerPool } from '#core/platform/process/worker-pool.ts';
import type { DocumentName } from '#rules/rulesets/index.ts';
import type { Attester } from './ledger/attest.ts';
import type { LiveThreads } from './live/threads.ts';

/** One document of an activation; `from` is null for the first version in force. */
export interface Swap {
  readonly name: DocumentName;
  readonly from: number | null;
  readonly to: number;
}

declare module '#core/module/capability.ts' {
  interface Capability {
    /** Runs in the transaction of every activation by a person, with the documents that it changes. */
    readonly rulesActivated?: (trx: Trx, swaps: readonly Swap[], moment: Date) => Promise<void>;
  }
}

declare module '#core/module/services.ts' {
  interface Services {
    /** Signs attestations. */
    readonly attester: Attester;
    /** The threads that run chunks of long jobs. */
    readonly chunkThreads: WorkerPool;
    /** The threads in which the newest runs of students lie. */
    readonly liveThreads: LiveThreads;
  }
}
