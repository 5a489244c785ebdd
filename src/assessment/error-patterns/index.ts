// What other capabilities may use of the sub-flags.

export { errorPatternsCapability } from './capability.ts';
export * from './engine/index.ts';
export { SubFlagEvent, SubFlagIndicator, type SubFlagRow } from './store.ts';
export { trainingEscalation } from './training-escalation.ts';
