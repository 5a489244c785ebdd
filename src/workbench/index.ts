// What the composition root and the workers need of the rules workbench.
export { workbenchCapability } from './capability.ts';
export { chunkTasks } from './chunk-tasks.ts';
export { type ChunkData, chunkThreads } from './chunks/chunks.ts';
export { createAttester } from './ledger/attest.ts';
export { answerQuestions } from './thread-tasks.ts';
