// The public part of merges of student accounts.
export { studentMergesCapability } from './capability.ts';
export { mergeStudents } from './merge.ts';
