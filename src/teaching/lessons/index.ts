// The public API of lessons.
export { analysableAnswers, countedItems } from './answers/analysable.ts';
export { lessonsCapability } from './capability.ts';
export { deliverFromLive } from './changes/close-delivered.ts';
export * as lessonCommands from './commands.ts';
export { type LiveSource, lessonForLive } from './content/for-live.ts';
export { LessonRow } from './rows/store.ts';
