// The services that live lessons add for every handler.
import type { LiveSnapshots } from './poll/snapshots.ts';

declare module '#core/module/services.ts' {
  interface Services {
    readonly liveSnapshots: LiveSnapshots;
  }
}
