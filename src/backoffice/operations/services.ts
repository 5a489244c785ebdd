// What operations bring to the services of every handler.
import type { Readiness } from './readiness.ts';
import type { Expiring } from './retention/expiring.ts';

declare module '#core/module/services.ts' {
  interface Services {
    /** Whether what the service depends on answers; costs the same however often it is asked. */
    readonly readiness: () => Promise<Readiness>;
  }
}

declare module '#core/module/capability.ts' {
  interface Capability {
    /** Its tables whose rows have their time. */
    readonly retention?: readonly Expiring[];
  }
}
