// What capabilities do with a run in its own transaction: what follows from it must never be seen without it.

import type { Lane } from '#core/module/events.ts';
import type { Services } from '#core/module/services.ts';
import type { Reading, Trx } from '#core/platform/db.ts';
import type { Job } from '#core/platform/queue/queue.ts';
import type { SchoolYear } from '#rules/catalogue/index.ts';
import type { ActiveRules } from '#rules/rulesets/index.ts';
import type { StudentEvaluation } from './engine/evaluate.ts';
import type { NumberedRun } from './replay/selection.ts';

/** The newest run of a student, just appended or found unchanged by new rules. */
export interface JudgedRun {
  readonly runId: string;
  readonly studentId: number;
  readonly schoolYear: SchoolYear;
  readonly grade: number;
  readonly contextReview: boolean;
  readonly evaluation: StudentEvaluation;
  /** Of the events that tell of it. */
  readonly lane: Lane;
}

export interface JudgedRuns {
  readonly organizationId: string;
  /** The instant that the runs were made at. */
  readonly now: Date;
  readonly inForce: Awaited<ReturnType<ActiveRules['at']>>;
  /** Of the organization's students, each once. */
  readonly runs: readonly JudgedRun[];
}

/** A run that came out the same when it was executed again, with what its rules say of it. */
export interface SoundRun extends NumberedRun {
  readonly evaluation: StudentEvaluation;
}

/** What was decided about students while a run was their newest one. */
export interface RunReplayer {
  /** Makes all of it anew, of runs of one organization. Returns, for each run, the names of what differs. */
  replay(
    reading: Reading,
    services: Pick<Services, 'db' | 'rules'>,
    runs: readonly SoundRun[],
  ): Promise<ReadonlyMap<string, readonly string[]>>;
}

export interface RunProjection extends RunReplayer {
  /** Rule documents that it reads, as `family/key`: where one of them changes, runs of all students are projected anew. */
  readonly documents: readonly string[];
  /**
   * Appends what follows from runs. What it throws undoes the runs too. Returns jobs for what it has asked for, which are
   * added after the commit; they may be lost.
   */
  project(trx: Trx, services: Services, judged: JudgedRuns): Promise<readonly Job[]>;
}

declare module '#core/module/capability.ts' {
  interface Capability {
    readonly runProjections?: readonly RunProjection[];
    /** Beside those of its projections. */
    readonly runReplayers?: readonly RunReplayer[];
  }
}
