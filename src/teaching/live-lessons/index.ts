// What others may use of live sessions.
export { liveSessionsCapability } from './capability.ts';
export { LiveSnapshots } from './poll/snapshots.ts';
