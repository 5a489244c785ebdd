// Readers that other capabilities provide to interventions: tiers and acute alerts, answers in sessions of assignments, and the
// duration of prepared sessions.
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import type { NewestTierMove } from './engine/bundles/covering.ts';
import type { SupportTier } from './engine/vocabulary.ts';

export interface StudentTier {
  readonly tier: SupportTier;
  /** Local date of the newest movement; null: no movement, in the first tier since the first enrollment. */
  readonly tierSince: string | null;
  /** Whether an alert acute_regression_review is open. */
  readonly acuteOpen: boolean;
  /** Null without a movement. */
  readonly newestMove: NewestTierMove | null;
}

/** Returns the students who are not in the first tier, or have such an alert. */
export type StudentTierReader = (
  trx: Trx,
  organizationId: string,
  studentIds: readonly number[],
) => Promise<ReadonlyMap<number, StudentTier>>;

/** A student's first answer to an item in a session of an assignment. */
export interface SessionAnswer {
  readonly studentId: number;
  /** Public id of an item of the bank, or the name of a blueprint's own item. */
  readonly itemRef: string;
  readonly subSkillCode: string;
  /** With the values of diagnostic items. */
  readonly taskType: string;
  readonly correct: boolean;
  /** Whether help was given. */
  readonly supported: boolean;
}

/** Answers of these students after `since`, exclusive, up to `asOf`, inclusive. */
export interface SessionAnswersRequest {
  readonly organizationId: string;
  readonly studentIds: readonly number[];
  readonly since: Date;
  readonly asOf: Date;
}

/** Uses one statement for any number of students. */
export type SessionAnswersReader = (trx: Trx, request: SessionAnswersRequest) => Promise<readonly SessionAnswer[]>;

/** A student's first answer to an item in a delivered session; analysable. */
export interface LateAnswer {
  readonly studentId: number;
  /** The id that the delivery has. */
  readonly sessionId: string;
  readonly itemId: string;
  readonly subSkillCode: string;
  readonly correct: boolean;
}

/** Returns answers in order of arrival, in sessions that the capability holds, with one statement for all. */
export type LateAnswersReader = (
  trx: Trx,
  services: Services,
  of: {
    readonly organizationId: string;
    readonly sessionIds: readonly string[];
    readonly studentIds: readonly number[];
    readonly now: Date;
  },
) => Promise<readonly LateAnswer[]>;

/** Returns the target sub-skills of the lessons that were delivered, by the id that a delivery has, with one statement. */
export type SessionTargetsReader = (
  trx: Trx,
  organizationId: string,
  sessionIds: readonly string[],
) => Promise<ReadonlyMap<string, readonly string[]>>;

/** Average whole minutes of a session of each bundle at the grade; bundles without prepared sessions are left out. */
export type BlueprintMinutesReader = (
  trx: Trx,
  bundleIds: readonly string[],
  grade: number,
) => Promise<ReadonlyMap<string, number>>;

declare module '#core/module/capability.ts' {
  interface Capability {
    readonly studentTiers?: StudentTierReader;
    /** Provided by capabilities with answers of sessions, which count for the scaffold tier. */
    readonly sessionAnswers?: SessionAnswersReader;
    /**
     * Provided by capabilities that accept answers after a delivery was recorded; they count with the next session of the
     * step.
     */
    readonly lateAnswers?: LateAnswersReader;
    /** Provided by capabilities that deliver lessons of assignments. */
    readonly sessionTargets?: SessionTargetsReader;
    readonly blueprintMinutes?: BlueprintMinutesReader;
  }
}
