// What a simulation of rules may use of rewards. Nothing here writes.
export type { Rehearsed } from '../engine/rehearse.ts';
export { rewardRules, rewardsDocument } from '../engine/rules.ts';
export { celebrationKinds, masterySourceKinds } from '../engine/vocabulary.ts';
export { type RewardPair, rewardedStudents } from './students.ts';
