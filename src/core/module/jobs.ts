// How a capability takes part in work that happens later: reactions to events, job handlers, schedules.
import type { Clock } from '../platform/clock.ts';
import type { Trx } from '../platform/db.ts';
import type { RowsName } from '../platform/locks.ts';
import type { Job, Queues } from '../platform/queue/queue.ts';
import type { EventKind, EventOf, StoredEvent } from './events.ts';
import type { Services } from './services.ts';

/**
 * Turns events into jobs, inside the relay's transaction (SUPER context). Where a batch fails its events come again one by
 * one; an event whose payload does not fit is put aside like one on which the reaction failed. What it writes there counts
 * from then on: the jobs themselves may be lost and are added again by the capability's sweep.
 */
export interface Reaction {
  /** Unique, and kept: what failed is tried again under this name. */
  readonly name: string;
  /** The values with which their raisers say what they raise. */
  readonly to: readonly EventKind[];
  /** The first lock that it takes: all reactions work in one transaction, which takes locks in their order. */
  readonly locks?: RowsName;
  /** `clock`: for the moment under a lock that it had to wait for. */
  toJobs(trx: Trx, events: readonly StoredEvent[], now: Date, clock: Clock): Promise<Job[]>;
}

interface ReactionTo<Kinds extends readonly EventKind[]> extends Pick<Reaction, 'name' | 'locks'> {
  readonly to: Kinds;
  toJobs(trx: Trx, events: readonly EventOf<Kinds[number]>[], now: Date, clock: Clock): Promise<Job[]>;
}

/** Its `toJobs` gets payloads of the kinds that it names. */
export const reaction = <const Kinds extends readonly EventKind[]>(parts: ReactionTo<Kinds>): Reaction => ({
  ...parts,
  toJobs: (trx, events, now, clock) =>
    parts.toJobs(trx, events as unknown as readonly EventOf<Kinds[number]>[], now, clock),
});

/** May be called twice for one job, also at the same time in two processes. */
export interface JobHandler {
  readonly queue: string;
  readonly concurrency: number;
  /** `awaited`: somebody waits for the result. `following`: begins when none of those is under way, after two seconds at most. */
  readonly turn?: 'awaited' | 'following';
  /** `stop`: the process is about to end; what takes long lets go after its current step. */
  handle(services: Services, data: Job['data'], stop: AbortSignal): Promise<void>;
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

/** Adds jobs whose facts are committed, where this process has queues. What cannot be added is found by a sweep. */
export function addJobs({ queues, log }: Pick<Services, 'queues' | 'log'>, jobs: readonly Job[]): void {
  if (jobs.length === 0) return;
  queues?.add(jobs).catch((error: unknown) => log.warn({ err: error }, 'jobs were not added; a sweep finds them'));
}
