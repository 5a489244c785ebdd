// What the composition root and the workers need of the rules workbench.
export { activateNow, takeOutOfForce } from './activation/activate.ts';
export { type ActivePeriod, activePeriodsOf } from './activation/active-periods.ts';
export { answerQuestions } from './analysis-tasks.ts';
export { workbenchCapability } from './capability.ts';
export { requireChange } from './changes/text.ts';
export { chunkTasks } from './chunk-tasks.ts';
export { type ChunkData, chunkThreads } from './chunks.ts';
export { createAttester } from './ledger/attest.ts';
export { type LiveData, liveTasks, liveThreads } from './live/threads.ts';
export { proposalValidation } from './proposals/propose.ts';
export { freezeDirectly, publishDirectly } from './proposals/publish-directly.ts';
export { lookUpRuleSet, type RuleSet } from './published/scopes.ts';
export type { VersionRow } from './published/store.ts';
export type { Swap } from './services.ts';
