// The public API of long jobs.
export { longJobsCapability } from './capability.ts';
export { type JobState, jobStates } from './enums.ts';
export { type LeasedKind, LostLease, leasedRows, runLeased } from './leased-job.ts';
export { queuedJobs } from './queued-jobs.ts';
export { type JobModel, type JobStep, longJobs } from './runner.ts';
export { admitOrder, cancelJob, findJob, type JobRow, orderJobs, RuleJob, retryJob } from './store.ts';
