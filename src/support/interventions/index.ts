// The public part of interventions.

export { type CompletionResult, completionResults } from './assignment-rows/enums.ts';
export { isOpenAssignment } from './assignment-rows/queries.ts';
export { BundleAssignment } from './assignment-rows/store.ts';
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
export * as supportCommands from './commands.ts';
export { deliveryRecorded } from './deliveries/events.ts';
export type { PresentStudent } from './deliveries/session.ts';
export { deliveredSessions, deliveriesOf, missedDays } from './deliveries/store.ts';
export * from './engine/index.ts';
export { decisionsOf } from './explain/decisions.ts';
export { explainProfile } from './explain/explain-profile.ts';
export { ExplainedProfile } from './explain/schemas.ts';
export { type ParentSuggestion, parentSuggestions } from './narratives/for-parents.ts';
export { profileChanged } from './profiles/events.ts';
export { type Known, knownOf, recommendedProfileOf } from './profiles/known.ts';
export { type InterventionRules, interventionRules, versionsOf } from './rules/compiled.ts';
export type {
  LateAnswersReader,
  SessionAnswer,
  SessionAnswersReader,
  SessionTargetsReader,
} from './services.ts';
export { type EnrollmentContext, enrollmentContexts } from './situations/enrollment-context.ts';
export { studentTiersOf } from './situations/support-tiers.ts';
export { lockSupport } from './support/lock.ts';
export { underLock } from './support/under-lock.ts';
export { teachersAndAdminsOnly } from './workflow/callers.ts';
