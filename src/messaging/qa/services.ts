// What capabilities say of what must not be.
import type { Probe } from './probes/probe.ts';

declare module '#core/module/capability.ts' {
  interface Capability {
    /** Checks of the service, and how each looks for what must not be. */
    readonly probes?: readonly Probe[];
  }
}
