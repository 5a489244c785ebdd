// What other capabilities may use of tiers, states of skills, alerts and decisions.

export { closeByDecision } from './alerts/close.ts';
export { rtiCapability } from './capability.ts';
export { moveTier } from './tiers/move.ts';
