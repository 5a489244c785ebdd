// What live sessions add to the services of handlers: what this process has read of them lately.
import type { LiveSnapshots } from './poll/snapshots.ts';

declare module '#core/module/services.ts' {
  interface Services {
    readonly liveSnapshots: LiveSnapshots;
  }
}
