// What operations bring to the services of every handler.
import type { QueueStates } from './queue-states.ts';
import type { Readiness } from './readiness.ts';
import type { Expiring } from './retention/expiring.ts';

declare module '#core/module/services.ts' {
  interface Services {
    /** Whether the dependencies of the service respond. The outcome is cached, so that many requests cost no more than one. */
    readonly readiness: () => Promise<Readiness>;
    /** The state of every queue. Throws ENGINE_UNAVAILABLE when the store of the queues does not respond in time. */
    readonly queueStates: QueueStates;
  }
}

declare module '#core/module/capability.ts' {
  interface Capability {
    /** The capability's tables whose rows expire. */
    readonly retention?: readonly Expiring[];
  }
}
