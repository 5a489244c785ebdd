// The field of capabilities that lists probes.
import type { Probe } from './probes/probe.ts';

declare module '#core/module/capability.ts' {
  interface Capability {
    /** Checks of the service, with their probes. */
    readonly probes?: readonly Probe[];
  }
}
