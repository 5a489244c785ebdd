// What other capabilities may use of what was delivered.
export { fidelityCapability } from './capability.ts';
export { fidelityChanged } from './events.ts';
export { pooledOf } from './pooled.ts';
export * as fidelitySimulation from './simulate/gates.ts';
