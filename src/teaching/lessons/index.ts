// What other capabilities may use of blueprint sessions.
export { analysableAnswers, countedItems } from './answers/analysable.ts';
export { sessionsCapability } from './capability.ts';
export { deliverFromLive } from './changes/from-live.ts';
export { type LiveSource, sessionForLive } from './content/for-live.ts';
export * as teaching from './giving.ts';
