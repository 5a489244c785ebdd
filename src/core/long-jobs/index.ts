// What other capabilities may use of long jobs.
export { longJobsCapability } from './capability.ts';
export { type JobModel, longJobs, type Step } from './runner.ts';
export { admitOrder, cancelJob, findJob, type JobRow, orderJobs } from './store.ts';
export { jobStates } from './words.ts';
