// The services that security events add for every handler.
import type { SecurityEvents } from './recorder.ts';

declare module '#core/module/services.ts' {
  interface Services {
    /** Records security events. */
    readonly securityEvents: SecurityEvents;
  }
}
