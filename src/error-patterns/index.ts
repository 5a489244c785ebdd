// What other parts of the service may use of the sub-flags.

export { errorPatternsCapability } from './capability.ts';
export {
  compileLadder,
  factsOf,
  type Ladder,
  type SubFlag,
  type SubFlagCounts,
  subFlagStates,
} from './engine/ladder.ts';
export { readCode } from './engine/pattern-key.ts';
export type { SubFlagRow } from './store.ts';
export { trainingLadder } from './training-ladder.ts';
