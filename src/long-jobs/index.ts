// What other capabilities may use of long jobs.
export { type JobModel, longJobs, type Step } from './runner.ts';
export { admitOrder, cancelJob, findJob, type JobRow, jobStates, orderJobs } from './store.ts';
