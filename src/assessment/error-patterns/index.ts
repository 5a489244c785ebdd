// What other parts of the service may use of the sub-flags.

export { errorPatternsCapability } from './capability.ts';
export {
  compileEscalation,
  type Escalation,
  factsOf,
  type SubFlag,
  type SubFlagCounts,
  subFlagStates,
} from './engine/escalation.ts';
export { readCode } from './engine/pattern-key.ts';
export type { SubFlagRow } from './store.ts';
export { trainingEscalation } from './training-escalation.ts';
