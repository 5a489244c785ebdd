// The public API of live lessons.
export { liveLessonsCapability } from './capability.ts';
export { LiveSnapshots } from './poll/snapshots.ts';
