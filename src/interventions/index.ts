// What other capabilities may use of interventions.
export { interventionsCapability } from './capability.ts';
export type { FidelityGate, SupportTier } from './engine/vocabulary.ts';
export * as support from './giving.ts';
export { narrativeFor } from './narratives/tell.ts';
export { interventionRules } from './rules/compiled.ts';
export * as supportSimulation from './simulate/index.ts';
