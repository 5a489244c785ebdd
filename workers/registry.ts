// Every capability that reacts to events, handles jobs or runs by schedule.

import type { CapabilityJobs } from '../src/kernel/jobs.ts';
import { diagnosticJobs } from '../src/measurement/index.ts';
import { ledgerYearJobs, retentionJobs } from '../src/operations/index.ts';
import { identityJobs } from '../src/people/index.ts';
import { skillStatusJobs } from '../src/skill-status/index.ts';
import { teaserJobs } from '../src/teaser/index.ts';
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
  ledgerYearJobs,
];

export const queueNames: readonly string[] = capabilityJobs.flatMap(({ handlers = [] }) =>
  handlers.map(({ queue }) => queue),
);
