// What engines, of this service and of other capabilities, may use of the sub-flags: pure functions and their types.
export {
  compileEscalation,
  type Escalation,
  factsOf,
  type SubFlag,
  type SubFlagCounts,
  subFlagStates,
} from './escalation.ts';
export { readCode } from './pattern-key.ts';
