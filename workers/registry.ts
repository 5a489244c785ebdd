// Every capability that reacts to events, handles jobs or runs by schedule.
import type { CapabilityJobs } from '../src/jobs.ts';
import { skillStatusJobs } from '../src/skill-status/jobs.ts';
import { housekeepingJobs } from './housekeeping.ts';

export const capabilityJobs: readonly CapabilityJobs[] = [skillStatusJobs, housekeepingJobs];
