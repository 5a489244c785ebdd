// What the workbench brings to the services of every handler.
import type { Threads } from '../platform/process/threads.ts';
import type { Attester } from './ledger/attest.ts';

declare module '../kernel/services.ts' {
  interface Services {
    /** Signs what is attested. */
    readonly attester: Attester;
    /** Work at chunks of long jobs. */
    readonly chunkThreads: Threads;
  }
}
