// Documents that workers render.
import type { Entries } from '../entry.ts';

/** The walk's jobs are asked for by an administrator: others of the organization are refused. */
const expect = {
  ...{ SUPER: 200, ADMIN: 200, MANAGER: 403, PRINCIPAL: 403, TEACHER: 403, PARENT: 403, STUDENT: 403, nobody: 401 },
  ...{ 'PRINCIPAL elsewhere': 403, 'TEACHER elsewhere': 403, 'PARENT elsewhere': 403, 'STUDENT elsewhere': 403 },
} as const;

export const reportJobEntries: Entries = {
  getReportJob: {
    slots: ['place'],
    request: async ({ at }) => ({ params: { jobId: await at.place.fresh.report() } }),
    expect,
  },
  getReportJobFile: {
    slots: ['place'],
    request: async ({ at }) => ({ params: { jobId: await at.place.fresh.report() } }),
    expect,
  },
};
