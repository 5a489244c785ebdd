// The public part of fidelity.
export { fidelityCapability } from './capability.ts';
export { completedAssignments } from './completed-assignments.ts';
export { fidelityChanged } from './events.ts';
export { type PooledAssignments, pooledOf } from './pooled.ts';
export { FidelityTracker } from './reads/schemas.ts';
export { fidelityTracker } from './reads/tracker.ts';
export type { SessionMinutesReader } from './services.ts';
