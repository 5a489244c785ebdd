// What a simulation of rules may use of rewards. Nothing here writes.

export { rewardRules, rewardsDocument } from '../engine/rules.ts';
export type { Simulated } from '../engine/simulate.ts';
export { celebrationKinds, masterySourceKinds } from '../engine/vocabulary.ts';
export { type RewardPair, rewardedStudents } from './students.ts';
