// What the workbench brings to the services of every handler.
import type { Attester } from './ledger/attest.ts';

declare module '../kernel/services.ts' {
  interface Services {
    /** Signs what is attested. */
    readonly attester: Attester;
  }
}
