// What other capabilities may use of tiers, states of skills, alerts and decisions.
export { rtiCapability } from './capability.ts';
