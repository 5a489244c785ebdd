// What other capabilities may use of tiers, states of skills and alerts.
export { rtiCapability } from './capability.ts';
