// What security events bring to the services of every handler.
import type { SecurityEvents } from './recorder.ts';

declare module '#core/module/services.ts' {
  interface Services {
    /** Traces that name somebody. */
    readonly securityEvents: SecurityEvents;
  }
}
