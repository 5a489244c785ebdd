// What other parts may use of retention.
export { retentionJobs } from './jobs.ts';
export { keptSince, readRetention } from './periods.ts';
