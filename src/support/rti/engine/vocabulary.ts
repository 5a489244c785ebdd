// Enums of tiers, alerts and reviews that rule documents may use.

/** States of one sub-skill, over school years. */
export const skillStates = ['on_track', 'monitoring', 'maintenance'] as const;
export type SkillState = (typeof skillStates)[number];
export type SkillStateOrNone = SkillState | 'none';

/** Most severe first. */
export const rtiAlertKinds = [
  'acute_regression_review',
  'Intensive_Review',
  'Student_Alert',
  'tier_review_due',
  'Skill_Alert',
] as const;
export type RtiAlertKind = (typeof rtiAlertKinds)[number];
/** 5 for the most severe kind, 1 for the least. */
export const severityOf = (kind: RtiAlertKind): number => rtiAlertKinds.length - rtiAlertKinds.indexOf(kind);

export const alertStates = ['open', 'dismissed', 'closed'] as const;
export type AlertStateWord = (typeof alertStates)[number];

export const closeReasons = [
  'superseded_by_more_severe',
  'condition_cleared',
  'decision_committed',
  'student_left',
  'evidence_voided',
] as const;
export type CloseReason = (typeof closeReasons)[number];

export const tierDecisions = ['escalate', 'de_escalate', 'maintain', 'defer'] as const;
export type TierDecision = (typeof tierDecisions)[number];

/** Why a tier began before it was decided in the service: the student had the support of the next tier already. */
export const effectiveReasons = ['earlier_support'] as const;
export type EffectiveReason = (typeof effectiveReasons)[number];

/** The student's response to support since the tier began. */
export const responses = ['unknown', 'below', 'mixed', 'above'] as const;
export type Response = (typeof responses)[number];

export const reviewTypes = [
  'tier_escalation',
  'tier_de_escalation',
  'intensive_review',
  'acute_regression',
  'scheduled_tier_review',
  'contextual_clarification',
] as const;
export type ReviewType = (typeof reviewTypes)[number];

export const packetStatuses = ['draft', 'under_review', 'deferred', 'approved', 'rejected'] as const;
export type PacketStatus = (typeof packetStatuses)[number];
