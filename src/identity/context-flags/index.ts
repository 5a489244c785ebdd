// The public API of context flags.

export { contextFlagsCapability } from './capability.ts';
export { contextFlagChanged } from './events.ts';
export { studentsFlaggedForReview } from './queries.ts';
export { StoredContextFlag } from './store.ts';
export { setFlag } from './writes/set-flag.ts';
