// What other capabilities tell interventions: of a student, who moves students between tiers and opens alerts, and who holds
// what students answer in the sessions of their plans; of bundles, who holds prepared sessions says how long they take.
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import type { SupportTier } from './engine/vocabulary.ts';

export interface Standing {
  readonly tier: SupportTier;
  /** Local date of the newest movement; null: never moved, in the first tier since the first enrollment. */
  readonly tierSince: string | null;
  /** An alert acute_regression_review is open. */
  readonly acuteOpen: boolean;
}

/** Of those of the organization's students who stand otherwise than in the first tier without such an alert. */
export type StandingReader = (
  trx: Trx,
  organizationId: string,
  studentIds: readonly number[],
) => Promise<ReadonlyMap<number, Standing>>;

/** An answer of a student in a session of a plan: the first one to its item. */
export interface SessionAnswer {
  readonly studentId: number;
  /** Public id of an item of the bank, or the name that a blueprint gives an item of its own. */
  readonly itemRef: string;
  readonly subSkillCode: string;
  /** As the items of diagnostics have it. */
  readonly taskType: string;
  readonly correct: boolean;
  /** Help was given with it. */
  readonly supported: boolean;
}

/** Of these students after `since`, which is excluded, and not after `asOf`. */
export interface SessionAnswersRequest {
  readonly organizationId: string;
  readonly studentIds: readonly number[];
  readonly since: Date;
  readonly asOf: Date;
}

/** One statement, however many students. */
export type SessionAnswersReader = (trx: Trx, request: SessionAnswersRequest) => Promise<readonly SessionAnswer[]>;

/** An answer in a delivered session: analysable, and the first of its student to its item. */
export interface LateAnswer {
  readonly studentId: number;
  /** As the delivery names it. */
  readonly sessionId: string;
  readonly itemId: string;
  readonly subSkillCode: string;
  readonly correct: boolean;
}

/** In the order in which they came, of sessions that this one holds; one statement, however many. */
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

/** Whole minutes of a session of each bundle at the grade; bundles without prepared sessions are left out. */
export type BlueprintMinutesReader = (
  trx: Trx,
  bundleIds: readonly string[],
  grade: number,
) => Promise<ReadonlyMap<string, number>>;

declare module '#core/module/capability.ts' {
  interface Capability {
    readonly standings?: StandingReader;
    /** Whoever holds answers of sessions: they count for how much support a student needs. */
    readonly sessionAnswers?: SessionAnswersReader;
    /** Whoever takes answers after a delivery was told: they are judged with the next session of the step. */
    readonly lateAnswers?: LateAnswersReader;
    readonly blueprintMinutes?: BlueprintMinutesReader;
  }
}
