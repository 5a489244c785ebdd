// Tier status and alerts of students.
import type { Entries } from '../../requests/entry.ts';

export const rtiEntries: Entries = {
  getRtiStatus: { slots: ['tenant'], request: ({ at }) => ({ params: { id: at.tenant.studentId } }) },
  listStudentAlerts: {
    slots: ['tenant'],
    request: ({ at }) => ({ params: { id: at.tenant.studentId }, query: { state: 'open' } }),
  },
  listClassAlerts: {
    slots: ['tenant'],
    request: ({ at }) => ({ params: { classId: at.tenant.classId }, query: { kind: 'Student_Alert' } }),
  },
  acknowledgeAlert: {
    slots: ['tenant'],
    request: async ({ at }) => ({ params: { alertId: await at.tenant.fresh.openAlert() }, body: {} }),
  },
  dismissAlert: {
    slots: ['tenant'],
    request: async ({ at }) => ({
      params: { alertId: await at.tenant.fresh.openAlert() },
      body: { overrideCode: 'Alr_Already_Addressed_06' },
    }),
  },
  evaluateRti: { slots: ['tenant'], request: ({ at }) => ({ params: { id: at.tenant.studentId }, body: {} }) },
};
