// What other capabilities may use of interventions.

export {
  assignmentClosed,
  bundleCompleted,
  planChanged,
  scaffoldStepUp,
  stepGoalMet,
  suggestion,
} from './assignments/events.ts';
export { catchUp } from './assignments/follow.ts';
export { findAssignmentInReach } from './assignments/reads/scopes.ts';
export { deliveredDays, planOf } from './assignments/track.ts';
export { bundleById } from './bundles/queries.ts';
export { bundleParams } from './bundles/schemas.ts';
export { interventionsCapability } from './capability.ts';
export { currentGeneration } from './clustering/store.ts';
export { deliveryRecorded } from './deliveries/events.ts';
export type { PresentStudent } from './deliveries/session.ts';
export { deliveredSessions, deliveriesOf, missedDays } from './deliveries/store.ts';
export {
  completeWeeks,
  isInstructional,
  type SchoolCalendar,
  schoolCalendar,
  weekStartOf,
  weeksBetween,
} from './engine/assignments/calendar.ts';
export {
  compileFidelity,
  countDelivery,
  type DeliveryCount,
  type DeliveryPlan,
  type FidelityRules,
} from './engine/assignments/delivered.ts';
export { measureOf } from './engine/assignments/dosage.ts';
export { type Pooled, poolDelivery, poolUntil } from './engine/assignments/pooled.ts';
export { compileRecipients, type RecipientAnswer, type RecipientQuestion } from './engine/assignments/recipients.ts';
export { compileTrack } from './engine/assignments/track.ts';
export {
  type BundleCatalogue,
  compileBundles,
  coversRole,
  type InterventionBundle,
} from './engine/bundles/catalogue.ts';
export type { RecommendedProfile } from './engine/bundles/recommend.ts';
export { numbersOf } from './engine/bundles/settings.ts';
export {
  compileSufficiency,
  type SufficiencyAnswer,
  type SufficiencyQuestion,
  sufficiencyAsked,
} from './engine/bundles/sufficiency.ts';
export { factSorts as planFactSorts } from './engine/fact-sorts.ts';
export { worstOf } from './engine/profiles/role-status.ts';
export { compileReasonCodes, type ReasonCodes } from './engine/reason-codes.ts';
export { listedFacts } from './engine/typed-facts.ts';
export {
  assignmentStates,
  concernOrder,
  type DeliveryMode,
  deliveryModes,
  type FidelityGate,
  fidelityGates,
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
} from './engine/vocabulary.ts';
export { decisionsOf } from './explain/asked.ts';
export { explainProfile } from './explain/explain-profile.ts';
export { ExplainedProfile } from './explain/schemas.ts';
export * as support from './giving.ts';
export { type ParentSuggestion, parentSuggestions } from './narratives/for-parents.ts';
export { isOpen } from './plans/queries.ts';
export { BundleAssignment } from './plans/store.ts';
export { type CompletionResult, completionResults } from './plans/words.ts';
export { profileChanged } from './profiles/events.ts';
export { type Known, knownOf, profileOf } from './profiles/known.ts';
export { type InterventionRules, interventionRules, versionsOf } from './rules/compiled.ts';
export type { LateAnswersReader, SessionAnswer, SessionAnswersReader } from './services.ts';
export * as supportSimulation from './simulate/index.ts';
export { type Place, placesOf } from './situations/places.ts';
export { standingsOf } from './situations/standing.ts';
export { lockSupport } from './support/lock.ts';
export { underLock } from './support/under-lock.ts';
export { teachersAndAdminsOnly } from './workflow/callers.ts';
