// Jobs of audits: each requested one, and all of them once a day.
import type { CapabilityJobs } from '#core/module/jobs.ts';
import { inContext } from '#core/platform/db.ts';
import { platformOrganizationId } from '#core/platform/pure/platform-organization.ts';
import { auditOrganization } from './run.ts';
import { openAuditRequests } from './store.ts';

const queue = 'qa-audits';
const sweepEveryMs = 5_000;
const sweepLimit = 200;
/** Hour of the day, after the nightly work. */
const auditHour = 5;

export const auditJobs: CapabilityJobs = {
  handlers: [
    {
      queue,
      concurrency: 1,
      handle: (services, { organizationId }, stop) => auditOrganization(services, String(organizationId), stop),
    },
  ],
  schedules: [
    {
      name: 'qa-audit-sweep',
      everyMs: sweepEveryMs,
      run: async ({ db }, queues) => {
        const open = await inContext(db, 'SUPER', (trx) => openAuditRequests(trx, sweepLimit));
        await queues.add(
          open.map(({ subject }) => ({ queue, id: `qa-audit-${subject}`, data: { organizationId: subject } })),
        );
      },
    },
  ],
  daily: [
    {
      name: 'qa-audit',
      dailyAt: auditHour,
      of: 'organization',
      run: (services, _queues, { organizationId }) => auditOrganization(services, organizationId),
    },
    {
      name: 'qa-audit-platform',
      dailyAt: auditHour,
      of: 'platform',
      run: (services) => auditOrganization(services, platformOrganizationId),
    },
  ],
};
