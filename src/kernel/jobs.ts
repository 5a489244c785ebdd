// How a capability takes part in work that happens later: reactions to events, job handlers, schedules.
import type { Trx } from '../platform/db.ts';
import type { Job, Queues } from '../platform/queue.ts';
import type { Services } from './services.ts';

export interface StoredEvent {
  readonly id: number;
  readonly organizationId: string;
  readonly topic: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

/**
 * Turns events of one topic into jobs, inside the relay's transaction (SUPER context). Where a batch
 * fails its events come again one by one. What it writes there is the
 * promise from then on: the jobs themselves may be lost and are added again by the capability's sweep.
 */
export interface Reaction {
  /** Unique, and kept: what failed is tried again under this name. */
  readonly name: string;
  readonly topics: readonly string[];
  toJobs(trx: Trx, events: readonly StoredEvent[], now: Date): Promise<Job[]>;
}

/** May be called twice for one job, also at the same time in two processes. */
export interface JobHandler {
  readonly queue: string;
  readonly concurrency: number;
  handle(services: Services, data: Job['data']): Promise<void>;
}

/** Due when the Clock has passed the last start by `everyMs`. For sweeps: one that fails or is killed waits for the next. */
export interface Schedule {
  readonly name: string;
  readonly everyMs: number;
  run(services: Services, queues: Queues): Promise<void>;
}

/** Once for each date, and again until it ends without an error: expects that a kill has left it half done. */
export interface PlatformDailySchedule {
  readonly name: string;
  /** Hour of the day, UTC, 0 to 23. */
  readonly dailyAt: number;
  readonly of: 'platform';
  /** `date` is YYYY-MM-DD. */
  run(services: Services, queues: Queues, turn: { readonly date: string }): Promise<void>;
}

/** As above, for each organization and date in its own time zone. One organization's failure is no other's. */
export interface OrganizationDailySchedule {
  readonly name: string;
  /** Hour of the organization's day, 0 to 23. */
  readonly dailyAt: number;
  readonly of: 'organization';
  run(
    services: Services,
    queues: Queues,
    turn: { readonly organizationId: string; readonly date: string },
  ): Promise<void>;
}

export type DailySchedule = PlatformDailySchedule | OrganizationDailySchedule;

export interface CapabilityJobs {
  readonly reactions?: readonly Reaction[];
  readonly handlers?: readonly JobHandler[];
  readonly schedules?: readonly Schedule[];
  readonly daily?: readonly DailySchedule[];
}
