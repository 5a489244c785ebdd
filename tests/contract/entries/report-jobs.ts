// Documents that workers render, and what sessions let them render.
import type { Entries } from '../entry.ts';

/** The walk's jobs are asked for by an administrator: others of the organization are refused. */
const expect = {
  ...{ SUPER: 200, ADMIN: 200, MANAGER: 403, PRINCIPAL: 403, TEACHER: 403, PARENT: 403, STUDENT: 403, nobody: 401 },
  ...{ 'PRINCIPAL elsewhere': 403, 'TEACHER elsewhere': 403, 'PARENT elsewhere': 403, 'STUDENT elsewhere': 403 },
} as const;

export const reportJobEntries: Entries = {
  generateSessionPdfs: {
    slots: ['place'],
    request: async ({ at }) => ({
      params: { id: await at.place.fresh.session('accepted') },
      body: { variants: ['student_sheet', 'answer_key'] },
    }),
  },
  listRecentlyGenerated: { slots: ['place'], request: ({ at }) => ({ query: { classId: at.place.classId } }) },
  getSessionOfflinePackFile: {
    slots: ['place'],
    request: async ({ at }) => ({ params: { id: await at.place.fresh.session('accepted') } }),
  },
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
