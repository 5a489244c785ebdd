// What capabilities say of what must not be.
import type { Probe } from './probes/probe.ts';

declare module '../kernel/capability.ts' {
  interface Capability {
    /** How checks of the service look for what must not be, each at most once. */
    readonly probes?: readonly Probe[];
  }
}
