// The public part of the engine for other engines: pure functions and their types.
export {
  completeWeeks,
  completeWeeksBetween,
  isInstructional,
  type SchoolCalendar,
  schoolCalendar,
  weekStartOf,
} from './assignments/calendar.ts';
export {
  compileFidelity,
  countDelivery,
  countedWeeksFrom,
  type DeliveryCount,
  type DeliveryPlan,
  type FidelityRules,
} from './assignments/delivered.ts';
export { measureOf } from './assignments/dosage.ts';
export { planEndsOn, plannedInWeek } from './assignments/ends.ts';
export { type Pooled, poolDelivery, poolUntil } from './assignments/pooled.ts';
export { compileRecipients, type RecipientAnswer, type RecipientQuestion } from './assignments/recipients.ts';
export { compileTrack } from './assignments/track.ts';
export {
  type BundleCatalogue,
  compileBundles,
  coversRole,
  type InterventionBundle,
} from './bundles/catalogue.ts';
export type { RecommendedProfile } from './bundles/recommend.ts';
export { numbersOf } from './bundles/settings.ts';
export {
  compileSufficiency,
  type SufficiencyAnswer,
  type SufficiencyQuestion,
  sufficiencyAsked,
} from './bundles/sufficiency.ts';
export { factCategories as planFactSorts } from './fact-categories.ts';
export { worstOf } from './profiles/role-status.ts';
export { compileReasonCodes, type ReasonCodes } from './reason-codes.ts';
export { listedFacts } from './typed-facts.ts';
export {
  type AssignmentState,
  assignmentStates,
  concernOrder,
  type DeliveryMode,
  deliveryModes,
  type FidelityGate,
  fidelityGates,
  type GoalState,
  hasFidelityGate,
  isAssignable,
  isStrong,
  mostIntensiveTier,
  openStates,
  type ProfileCode,
  profileCodes,
  profileModifiers,
  profileOutcomes,
  type RoleCode,
  roleCodes,
  type ScaffoldTier,
  type SufficiencyReason,
  type SupportTier,
  scaffoldTiers,
  sufficiencies,
  sufficiencyReasons,
  supportTiers,
  type TrackStatus,
  trackStatuses,
} from './vocabulary.ts';
