// What other capabilities may use of context flags.

export { contextFlagsCapability } from './capability.ts';
export { contextFlagChanged } from './events.ts';
export { flaggedForReview } from './queries.ts';
export { setFlag } from './writes/set.ts';
