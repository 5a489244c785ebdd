// What long jobs bring to the service. Their handlers come with the models, of whoever has a kind of job to do.
import type { Capability } from '../module/capability.ts';
import { jobQueued } from './events.ts';

export const longJobsCapability: Capability = {
  name: 'long-jobs',
  events: [jobQueued],
  audited: { rule_job: { id: 'id', fields: ['kind', 'subject', 'state'] } },
};
