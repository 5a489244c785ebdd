// The rows of the ledgers of growth. They are only ever added, and by this room alone.
import type { CelebrationKind, MasteryFact, XpKind } from '../engine/vocabulary.ts';
import type { MasterySourceType } from '../enums.ts';

interface OfStudent {
  readonly id: number;
  readonly organizationId: string;
  readonly studentId: number;
  /** Of what the mastery event was found in; rows that follow from an event lie in its year. */
  readonly schoolYear: string;
}

export interface MasteryEventRow extends OfStudent, MasteryFact {
  readonly subSkillCode: string | null;
  readonly domainCode: string | null;
  readonly sourceType: MasterySourceType;
  readonly sourceId: string;
  /** State, status, verdict or tier that was reached; null where there is none. */
  readonly reached: string | null;
  /** ISO 8601 instant, as are all `…At`. */
  readonly recordedAt: string;
}

export interface XpRow extends OfStudent {
  readonly masteryEventId: number;
  readonly kind: XpKind;
  /** Negative where a badge was taken back. */
  readonly amount: number;
  readonly cappedFrom: number | null;
  /** Of a credit. */
  readonly sessionKey: string | null;
  /** Of all but a credit. */
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
  /** The tier, or the milestone. */
  readonly value: number;
  readonly masteryEventId: number;
  readonly createdAt: string;
  readonly seenAt: string | null;
}
