// The public part of tiers, skill states, alerts and decisions.

export { closeByDecision } from './alerts/close.ts';
export { presentRtiAlert } from './alerts/present.ts';
export { AlertView } from './alerts/schemas.ts';
export { type QuadrantName, quadrantNames } from './board/quadrants.ts';
export { supportQuadrants } from './board/support-quadrants.ts';
export { rtiCapability } from './capability.ts';
export * as tierCommands from './commands.ts';
export { requireAcceptedDecision, requireDay } from './decisions/refusals.ts';
export * from './engine/index.ts';
export { rtiAlertKinds } from './engine/vocabulary.ts';
export { skillStateUp } from './events.ts';
export { type AdviceNow, adviceNow } from './recommendation/advice.ts';
export type { TierInput } from './recommendation/input.ts';
export type { PresentedAdvice } from './recommendation/present.ts';
export { readAdvice } from './recommendation/reads.ts';
export { replayAdvice } from './recommendation/replay.ts';
export { AdviceView, FrozenAdviceView, RtiVersions, SupportTierSchema } from './recommendation/schemas.ts';
export { adviceDecisions } from './recommendation/trace.ts';
export { appendDecision, RtiDecision } from './rows/decisions.ts';
export { StoredTierMovement, tierMovementsOf } from './rows/movements.ts';
export { rtiRules } from './rules/compiled.ts';
export type { RtiSituation } from './situations/situation.ts';
export { type RtiSituations, rtiSituationsOf } from './situations/situations.ts';
export { moveTier, notEnrolled } from './tiers/move.ts';
