// Projections of runs by other capabilities, in the run's own transaction, so that a run is never visible without them.

import type { Lane } from '#core/module/events.ts';
import type { Services } from '#core/module/services.ts';
import type { ReadTransaction, Trx } from '#core/platform/db.ts';
import type { Job } from '#core/platform/queue/queue.ts';
import type { SchoolYear } from '#rules/catalogue/index.ts';
import type { ActiveRules } from '#rules/rulesets/index.ts';
import type { StudentEvaluation } from './engine/evaluate.ts';
import type { NumberedRun } from './replay/selection.ts';

/** The newest run of a student, just appended or unchanged under new rules. */
export interface CompletedRun {
  readonly runId: string;
  readonly studentId: number;
  readonly schoolYear: SchoolYear;
  readonly grade: number;
  readonly contextReview: boolean;
  readonly evaluation: StudentEvaluation;
  /** Lane of its events. */
  readonly lane: Lane;
}

export interface CompletedRuns {
  readonly organizationId: string;
  /** The instant of the runs. */
  readonly now: Date;
  readonly inForce: Awaited<ReturnType<ActiveRules['at']>>;
  /** Runs of the organization's students, one per student. */
  readonly runs: readonly CompletedRun[];
}

/** A run whose replay is equal, with its evaluation. */
export interface SoundRun extends NumberedRun {
  readonly evaluation: StudentEvaluation;
}

/** Replays decisions about students that were made while a run was their newest one. */
export interface RunReplayer {
  /** Replays the decisions for runs of one organization. Returns for each run the names of the differences. */
  replay(
    reading: ReadTransaction,
    services: Pick<Services, 'db' | 'rules'>,
    runs: readonly SoundRun[],
  ): Promise<ReadonlyMap<string, readonly string[]>>;
}

export interface RunProjection extends RunReplayer {
  /** Rule documents that it reads, as `family/key`. A change of one of them projects the runs of all students again. */
  readonly documents: readonly string[];
  /**
   * Appends the projections of runs. An error rolls back the runs too. Returns jobs to be added after the commit, which
   * may be lost.
   */
  project(trx: Trx, services: Services, completed: CompletedRuns): Promise<readonly Job[]>;
}

declare module '#core/module/capability.ts' {
  interface Capability {
    readonly runProjections?: readonly RunProjection[];
    /** Replayers in addition to those of its projections. */
    readonly runReplayers?: readonly RunReplayer[];
  }
}
