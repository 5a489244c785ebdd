// What other capabilities may use of what was delivered.
export { fidelityCapability } from './capability.ts';
export { completedPlans } from './completed.ts';
export { fidelityChanged } from './events.ts';
export { type PooledPlans, pooledOf } from './pooled.ts';
export { FidelityTracker } from './reads/schemas.ts';
export { fidelityTracker } from './reads/tracker.ts';
export type { SessionMinutesReader } from './services.ts';
