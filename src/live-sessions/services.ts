// What live sessions add to the services of handlers: what this process has read of them lately.
import type { LiveSnapshots } from './poll/snapshots.ts';

declare module '../kernel/services.ts' {
  interface Services {
    readonly liveSnapshots: LiveSnapshots;
  }
}
