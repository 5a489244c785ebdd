// What other capabilities may use of interventions.
export { interventionsCapability } from './capability.ts';
export * as supportSimulation from './simulate/index.ts';
