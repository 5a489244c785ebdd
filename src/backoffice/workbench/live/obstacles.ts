// Why the runs in memory cannot tell what proposed rules would change.
import type { FindingCode } from '#rules/rulesets/index.ts';

/**
 * Only a job can tell: a run's stored input becomes another (`evidence`), the rules decide beside the pipeline (`outside`), the
 * reference engine answers for a table (`fallback`), or the students are too many (`memory`).
 */
export const jobIssues = ['evidence', 'outside', 'fallback', 'memory'] as const;
export type JobIssue = (typeof jobIssues)[number];

/** Null where they can. */
export type Obstacle =
  | { readonly state: 'not_evaluable'; readonly issue: FindingCode | 'nothing_to_simulate' }
  | { readonly state: 'job_needed'; readonly issue: JobIssue }
  | null;
