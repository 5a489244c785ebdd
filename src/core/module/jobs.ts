// The background work of a capability: reactions to events, job handlers, schedules.

import type { Clock } from '../platform/clock.ts';
import type { Trx } from '../platform/db.ts';
import type { RowsName } from '../platform/locks.ts';
import { modelOf } from '../platform/model.ts';
import type { Job, Queues } from '../platform/queue/queue.ts';
import type { EventKind, EventOf, StoredEvent } from './events.ts';
import type { Services } from './services.ts';

/**
 * Turns events into jobs, inside the relay's transaction (SUPER context). If a batch fails, its events are delivered again one
 * by one; an event with an invalid payload is retried like one whose reaction failed. Rows that a reaction writes are what
 * counts: the jobs may be lost, and the sweep of the capability adds them again.
 */
export interface Reaction {
  /** Unique and stable: failed reactions are retried under this name. */
  readonly name: string;
  /** The kinds of events that it reacts to. */
  readonly to: readonly EventKind[];
  /** The first lock that the reaction takes. All reactions run in one transaction, which takes locks in their order. */
  readonly locks?: RowsName;
  /** `clock` gives the time after the reaction has waited for a lock. */
  toJobs(trx: Trx, events: readonly StoredEvent[], now: Date, clock: Clock): Promise<Job[]>;
}

interface ReactionTo<Kinds extends readonly EventKind[]> extends Pick<Reaction, 'name' | 'locks'> {
  readonly to: Kinds;
  toJobs(trx: Trx, events: readonly EventOf<Kinds[number]>[], now: Date, clock: Clock): Promise<Job[]>;
}

/** Creates a reaction whose `toJobs` receives the payloads of the kinds in `to`. */
export const reaction = <const Kinds extends readonly EventKind[]>(parts: ReactionTo<Kinds>): Reaction => ({
  ...parts,
  toJobs: (trx, events, now, clock) =>
    parts.toJobs(trx, events as unknown as readonly EventOf<Kinds[number]>[], now, clock),
});

/** A handler may be called twice for one job, also at the same time in two processes. */
export interface JobHandler {
  readonly queue: string;
  readonly concurrency: number;
  /**
   * `awaited`: a person waits for the result. `following`: begins when no awaited job is running, after two seconds at most.
   */
  readonly priority?: 'awaited' | 'following';
  /** `stop` is aborted when the process is about to end; a long handler releases its work after the current step. */
  handle(services: Services, data: Job['data'], stop: AbortSignal): Promise<void>;
}

/**
 * Due when `everyMs` have passed on the Clock since the last start. For sweeps: a run that fails or is killed is not repeated
 * before the next one.
 */
export interface Schedule {
  readonly name: string;
  readonly everyMs: number;
  run(services: Services, queues: Queues): Promise<void>;
}

/**
 * Runs once for each date, and again until it ends without an error. It must tolerate work that a killed process left half
 * done.
 */
export interface PlatformDailySchedule {
  readonly name: string;
  /** Hour of the day, UTC, 0 to 23. */
  readonly dailyAt: number;
  readonly of: 'platform';
  /** `date` is YYYY-MM-DD. */
  run(services: Services, queues: Queues, day: { readonly date: string }): Promise<void>;
}

/**
 * Runs once for each organization and date in the time zone of the organization. A failure in one organization does not affect
 * others.
 */
export interface OrganizationDailySchedule {
  readonly name: string;
  /** Hour of the organization's day, 0 to 23. */
  readonly dailyAt: number;
  readonly of: 'organization';
  run(services: Services, queues: Queues, day: OrganizationDay): Promise<void>;
}

export interface OrganizationDay {
  readonly organizationId: string;
  /** The organization's local date, YYYY-MM-DD. */
  readonly date: string;
}

export type DailySchedule = PlatformDailySchedule | OrganizationDailySchedule;

export interface CapabilityJobs {
  readonly reactions?: readonly Reaction[];
  readonly handlers?: readonly JobHandler[];
  readonly schedules?: readonly Schedule[];
  readonly daily?: readonly DailySchedule[];
}

/** Adds jobs whose facts are committed, if this process has queues. Jobs that cannot be added are found by a sweep. */
export function addJobs({ queues, log }: Pick<Services, 'queues' | 'log'>, jobs: readonly Job[]): void {
  if (jobs.length === 0) return;
  queues?.add(jobs).catch((error: unknown) => log.warn({ err: error }, 'jobs were not added; a sweep finds them'));
}

interface ScheduleDayRow {
  /** The name of the schedule. */
  readonly name: string;
  /** The id of the organization; empty for the platform. */
  readonly subject: string;
  readonly day: string;
  readonly heldUntil: string;
  readonly failures: number;
  readonly doneAt: string | null;
}

/** Days of daily work. */
export const ScheduleDay = modelOf<ScheduleDayRow>('schedule_day', { id: ['name', 'subject', 'day'] });
