// What rosters of learning platforms bring to the services of every handler.
import type { Reach } from './reaching/reach.ts';

declare module '#core/module/services.ts' {
  interface Services {
    /** How learning platforms are asked. */
    readonly lmsReach: Reach;
  }
}
