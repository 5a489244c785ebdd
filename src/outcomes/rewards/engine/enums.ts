// Enums of rewards (contract 60 §1), stored and returned, and the mastery event.

/** What may be rewarded: measured growth only. In the order of the contract. */
export const masterySourceKinds = [
  'subskill_state_up',
  'skill_status_transition',
  'domain_status_escalation',
  'band_progression',
  'cbm_trend_above_goal',
  'bundle_step_goal_met',
  'bundle_completion',
  'scaffold_tier_step_up',
] as const;
export type MasterySourceKind = (typeof masterySourceKinds)[number];

export const celebrationKinds = ['avatar_tier', 'streak_milestone'] as const;
export type CelebrationKind = (typeof celebrationKinds)[number];

export const xpKinds = ['credit', 'badge_bonus', 'rescind'] as const;
export type XpKind = (typeof xpKinds)[number];

/** The initial tier. */
export const firstAvatarTier = 1;

/** The facts of a mastery event, as stored. */
export interface MasteryFact {
  readonly id: number;
  readonly sourceKind: MasterySourceKind;
  /** The parts after the kind, joined by a colon. */
  readonly naturalKey: string;
  readonly subSkillCode?: string | null;
  readonly domainCode?: string | null;
  /** The session whose XP cap applies. */
  readonly sessionKey: string;
  /** Instant at which the fact was stored. */
  readonly occurredAt: string;
  /** Local date of that instant in the organization's time zone. */
  readonly localDate: string;
  /** School days strictly between the previous tick and this one, by the calendar in force when it was inserted. */
  readonly missedSchoolDays: number;
  /** Version of `gamification/rewards`. */
  readonly ruleVersion: string;
}
