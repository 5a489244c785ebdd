// Public API of rewards.

export { rewardsCapability } from './capability.ts';
export { type LedgersReplay, replayLedgers } from './replay/replay-ledgers.ts';
