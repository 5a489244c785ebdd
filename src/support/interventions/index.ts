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
export * from './engine/index.ts';
export { decisionsOf } from './explain/asked.ts';
export { explainProfile } from './explain/explain-profile.ts';
export { ExplainedProfile } from './explain/schemas.ts';
export * as support from './giving.ts';
export { type ParentSuggestion, parentSuggestions } from './narratives/for-parents.ts';
export { type CompletionResult, completionResults } from './plans/enums.ts';
export { isOpen } from './plans/queries.ts';
export { BundleAssignment } from './plans/store.ts';
export { profileChanged } from './profiles/events.ts';
export { type Known, knownOf, profileOf } from './profiles/known.ts';
export { type InterventionRules, interventionRules, versionsOf } from './rules/compiled.ts';
export type { LateAnswersReader, SessionAnswer, SessionAnswersReader } from './services.ts';
export { type Place, placesOf } from './situations/places.ts';
export { standingsOf } from './situations/standing.ts';
export { lockSupport } from './support/lock.ts';
export { underLock } from './support/under-lock.ts';
export { teachersAndAdminsOnly } from './workflow/callers.ts';
