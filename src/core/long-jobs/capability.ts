// The contribution of long jobs to the service. Their handlers are created by the capabilities that define job models.
import type { Capability } from '../module/capability.ts';
import { jobQueued } from './events.ts';

export const longJobsCapability: Capability = {
  name: 'long-jobs',
  events: [jobQueued],
  audited: { rule_job: { id: 'id', fields: ['kind', 'subject', 'state'] } },
};
