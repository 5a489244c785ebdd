// What the other capabilities may use of rewards.

export { rewardsCapability } from './capability.ts';
export { type LedgerNight, replayLedgers } from './replay/night.ts';
