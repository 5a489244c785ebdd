// What other capabilities may use of interventions.
export { interventionsCapability } from './capability.ts';
export * as support from './giving.ts';
export { narrativeFor } from './narratives/tell.ts';
export * as supportSimulation from './simulate/index.ts';
