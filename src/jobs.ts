// How a capability takes part in work that happens later: reactions to events, job handlers, schedules.
import type { Trx } from './platform/db.ts';
import type { Job, Queues } from './platform/queue.ts';
import type { Services } from './services.ts';

export interface StoredEvent {
  readonly id: number;
  readonly organizationId: string;
  readonly topic: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

/**
 * Turns events of one topic into jobs, inside the relay's transaction (SUPER context). What it writes there is the
 * promise from then on: the jobs themselves may be lost and are added again by the capability's sweep.
 */
export interface Reaction {
  readonly topics: readonly string[];
  toJobs(trx: Trx, events: readonly StoredEvent[], now: Date): Promise<Job[]>;
}

/** May be called twice for one job, also at the same time in two processes. */
export interface JobHandler {
  readonly queue: string;
  readonly concurrency: number;
  handle(services: Services, data: Job['data']): Promise<void>;
}

/** Due when the Clock has passed the last run by `everyMs`; runs in one process at a time. */
export interface Schedule {
  readonly name: string;
  readonly everyMs: number;
  run(services: Services, queues: Queues): Promise<void>;
}

export interface CapabilityJobs {
  readonly reactions?: readonly Reaction[];
  readonly handlers?: readonly JobHandler[];
  readonly schedules?: readonly Schedule[];
}
