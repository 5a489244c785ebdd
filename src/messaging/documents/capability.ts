// What rendered documents contribute to the service. Their kinds are declared by the capabilities that print them.
import type { Capability } from '#core/module/capability.ts';
import { reportQueued } from './events.ts';
import { forgetReportFiles, reportFilesSection } from './personal-data.ts';
import { reportRoutes } from './reads/routes.ts';
import { reportHandlers, reportJobs } from './runs/jobs.ts';

export const reportJobsCapability: Capability = {
  name: 'report-jobs',
  routes: reportRoutes,
  events: [reportQueued],
  ...reportJobs,
  handlers: reportHandlers,
  audited: { report_job: { id: 'id', fields: ['kind', 'state'] } },
  personalData: [reportFilesSection],
  forgets: [forgetReportFiles],
  retention: [
    { table: 'report_file', until: 'expires_at' },
    { table: 'report_job', until: 'kept_until' },
  ],
};
