// Enums of profiles, bundles, groups and assignments that rule documents may use.
import { isWeak, type SkillStatus } from '#assessment/skill-status/engine/index.ts';

/** Tables ask for each role by name. */
export const roleCodes = ['PHON', 'LETTER', 'DECODE', 'FLUENCY', 'LANGUAGE', 'COMP', 'ENCODE'] as const;
export type RoleCode = (typeof roleCodes)[number];
export type RoleOrNone = RoleCode | 'none';

export const profileCodes = [
  'CONTEXTUAL_REVIEW',
  'BROAD_NEED',
  'COMBINED_DUAL_NEED',
  'PHONOLOGICAL_NEED',
  'LETTER_SOUND_NEED',
  'DECODING_NEED',
  'LANGUAGE_NEED',
  'FLUENCY_NEED',
  'TEXT_STRATEGY_NEED',
  'ENCODING_NEED',
  'ISOLATED_GAP',
  'CAUTIONARY_WATCH',
  'MONITOR_WATCH',
  'ON_TRACK',
  'DATA_INCOMPLETE',
] as const;
export type ProfileCode = (typeof profileCodes)[number];

/** The outcomes without an educational profile. */
export const haltOutcomes = ['do_not_decide_yet', 'DATA_INCOMPLETE'] as const;
export const profileOutcomes = ['resolved', ...haltOutcomes] as const;
export type ProfileOutcome = (typeof profileOutcomes)[number];

export const anchorKinds = [
  'none',
  'indicator',
  'first_context',
  'first_strong',
  'first_weak_isolated',
  'first_caution',
  'first_watch',
  ...roleCodes,
] as const;
export type AnchorKind = (typeof anchorKinds)[number];

export const profileModifiers = [
  'ARABIC_ACCURACY_ONLY_MONITOR',
  'CAUTIONARY_METADATA',
  'CONTEXT_FLAG_ACTIVE',
  'PARTIAL_DOMAINS',
  'SEVERE_TILE',
] as const;
export type ProfileModifier = (typeof profileModifiers)[number];

/** Most support first. */
export const scaffoldTiers = ['Level_3', 'Level_2', 'Level_1'] as const;
export type ScaffoldTier = (typeof scaffoldTiers)[number];

export const deliveryModes = [
  'teacher_led_small_group',
  'teacher_led_micro_group',
  'blended',
  'digital_self_paced',
] as const;
export type DeliveryMode = (typeof deliveryModes)[number];
export const isTeacherLed = (mode: string): boolean => mode.startsWith('teacher_led_');

export const objectTypes = [
  'INTERVENTION_BUNDLE',
  'COMPOSITE_SEQUENCE_PLAN',
  'COMPOSITE_INTERVENTION_BUNDLE',
  'SUPPORT_MODULE',
  'LIGHT_SUPPORT_ACTION',
  'DECISION_CLARIFICATION_PROCESS',
  'NON_INTERVENTION_OPTION',
  'ROUTING_GUARD',
  'FUTURE_INACTIVE_SUPPORT_OBJECT',
] as const;
export type ObjectType = (typeof objectTypes)[number];

/** The strength of each object type; a type that is missing cannot be assigned. */
export const strengthOf: Readonly<Partial<Record<ObjectType, number>>> = {
  LIGHT_SUPPORT_ACTION: 1,
  SUPPORT_MODULE: 2,
  INTERVENTION_BUNDLE: 3,
  COMPOSITE_SEQUENCE_PLAN: 3,
  COMPOSITE_INTERVENTION_BUNDLE: 3,
};
export const isAssignable = (type: ObjectType): boolean => strengthOf[type] !== undefined;
/** Light actions in class are not counted against planned sessions. */
export const hasFidelityGate = (type: ObjectType): boolean => isAssignable(type) && type !== 'LIGHT_SUPPORT_ACTION';

export const isStrongNeed = (code: ProfileCode): boolean => code.endsWith('_NEED');

export const sufficiencies = ['sufficient', 'insufficient', 'contextual'] as const;
export type Sufficiency = (typeof sufficiencies)[number];
export const sufficiencyReasons = [
  'DATA_INCOMPLETE',
  'CONTEXT_ACTIVE',
  'LOW_FIDELITY',
  'NO_DELIVERY',
  'TOO_FEW_WEEKS',
  'TOO_FEW_POINTS',
  'NONE',
] as const;
export type SufficiencyReason = (typeof sufficiencyReasons)[number];

export const fidelityGates = ['not_applicable', 'pass', 'fail'] as const;
export type FidelityGate = (typeof fidelityGates)[number];

export const recommendationActions = [
  'collect_data',
  'route',
  'clarify',
  'continue',
  'intensify',
  'activate',
  'none',
] as const;
export type RecommendationAction = (typeof recommendationActions)[number];

export const assignmentStates = ['scheduled', 'active', 'paused', 'completed', 'stopped', 'superseded'] as const;
export type AssignmentState = (typeof assignmentStates)[number];
export const openStates = ['scheduled', 'active', 'paused'] as const;

export const trackStatuses = ['not_applicable', 'off_track', 'awaiting_first_session', 'behind', 'on_track'] as const;
export type TrackStatus = (typeof trackStatuses)[number];

export const goalStates = ['none', 'pending', 'met', 'not_met'] as const;
export type GoalState = (typeof goalStates)[number];

/** Lightest first. */
export const supportTiers = [1, 2, 3] as const;
export type SupportTier = (typeof supportTiers)[number];
export const mostIntensiveTier: SupportTier = 3;

/**
 * Worst first. The two statuses about the evidence are included only because one of several has to be picked; they never
 * count as an improvement.
 */
export const concernOrder: readonly SkillStatus[] = [
  'broad_weakness_related',
  'weak_gateway',
  'weak_domain_related',
  'weak_isolated',
  'cautionary_weakness_with_metadata',
  'contextual_review',
  'monitor_gateway',
  'monitor',
  'adequate',
];

export const isStrong = (status: SkillStatus): boolean => isWeak(status) && status !== 'weak_isolated';
export const isWatched = (status: SkillStatus): boolean => status === 'monitor' || status === 'monitor_gateway';
export const isCautious = (status: SkillStatus): boolean => status === 'cautionary_weakness_with_metadata';

export type StatusOrNone = 'none' | SkillStatus;
