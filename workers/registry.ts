// Every capability that reacts to events, handles jobs or runs by schedule.

import type { CapabilityJobs } from '../src/kernel/jobs.ts';
import { diagnosticJobs } from '../src/measurement/diagnostics/jobs.ts';
import { retentionJobs } from '../src/operations/retention/index.ts';
import { identityJobs } from '../src/people/sign-in/jobs.ts';
import { skillStatusJobs } from '../src/skill-status/recompute/jobs.ts';
import { teaserJobs } from '../src/teaser/jobs.ts';
import { workbenchJobs } from '../src/workbench/index.ts';
import { housekeepingJobs } from './housekeeping.ts';

export const capabilityJobs: readonly CapabilityJobs[] = [
  identityJobs,
  diagnosticJobs,
  skillStatusJobs,
  teaserJobs,
  ...workbenchJobs,
  housekeepingJobs,
  retentionJobs,
];
