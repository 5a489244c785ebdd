// Rows of the growth ledgers. They are append-only and written by this folder only.
import type { CelebrationKind, MasteryFact, XpKind } from '../engine/enums.ts';
import type { MasterySourceType } from '../enums.ts';

interface OfStudent {
  readonly id: number;
  readonly organizationId: string;
  readonly studentId: number;
  /** School year of the source of the mastery event; rows booked under an event have its school year. */
  readonly schoolYear: string;
}

export interface MasteryEventRow extends OfStudent, MasteryFact {
  readonly subSkillCode: string | null;
  readonly domainCode: string | null;
  readonly sourceType: MasterySourceType;
  readonly sourceId: string;
  /** State, status, verdict or tier reached; null when there is none. */
  readonly reached: string | null;
  /** ISO 8601 instant, as are all `…At`. */
  readonly recordedAt: string;
}

export interface XpRow extends OfStudent {
  readonly masteryEventId: number;
  readonly kind: XpKind;
  /** Negative for a rescind. */
  readonly amount: number;
  readonly cappedFrom: number | null;
  /** Only for credits. */
  readonly sessionKey: string | null;
  /** For all kinds but credits. */
  readonly studentBadgeId: number | null;
  readonly recordedAt: string;
  readonly ruleVersion: string;
}

export interface BadgeRow extends OfStudent {
  readonly code: string;
  readonly triggeringMasteryEventId: number;
  readonly awardedAt: string;
  readonly ruleVersion: string;
}

export interface RescindRow extends OfStudent {
  readonly studentBadgeId: number;
  readonly overrideCode: string;
  /** User id. */
  readonly rescindedBy: number;
  readonly recordedAt: string;
}

export interface CelebrationRow extends Omit<OfStudent, 'id'> {
  readonly id: string;
  readonly kind: CelebrationKind;
  /** The tier or the milestone. */
  readonly value: number;
  readonly masteryEventId: number;
  readonly createdAt: string;
  readonly seenAt: string | null;
}
