// What other parts of the service may use of the sub-flags.
export { trainingLadder } from './training-ladder.ts';
