// What other parts may use of retention.
export { retentionJobs } from './jobs.ts';
export { readRetention, retainedSince } from './periods.ts';
