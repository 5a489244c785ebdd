// What other capabilities may use of tiers, states of skills, alerts and decisions.

export { closeByDecision } from './alerts/close.ts';
export { presentAlert } from './alerts/present.ts';
export { AlertView } from './alerts/schemas.ts';
export { type SquareName, squareNames } from './board/squares.ts';
export { supportSquares } from './board/support-squares.ts';
export { rtiCapability } from './capability.ts';
export * as deciding from './deciding.ts';
export { requireAccepted, requireDay } from './decisions/refusals.ts';
export * from './engine/index.ts';
export { notEnrolled } from './enrolled.ts';
export { skillStateUp } from './events.ts';
export { type AdviceNow, adviceNow } from './recommendation/advice.ts';
export { adviceAgain } from './recommendation/again.ts';
export type { TierInput } from './recommendation/input.ts';
export type { PresentedAdvice } from './recommendation/present.ts';
export { readAdvice } from './recommendation/reads.ts';
export { AdviceView, FrozenAdviceView, RtiVersions, Tier } from './recommendation/schemas.ts';
export { adviceDecisions } from './recommendation/trace.ts';
export { appendDecision } from './rows/decisions.ts';
export { movementsOf } from './rows/movements.ts';
export { rtiRules } from './rules/compiled.ts';
export type { RtiSituation } from './situations/situation.ts';
export { type RtiSituations, rtiSituationsOf } from './situations/situations.ts';
export { moveTier } from './tiers/move.ts';
