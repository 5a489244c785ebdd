// Where students stand, and their alerts.
import type { Entries } from '../../requests/entry.ts';

export const rtiEntries: Entries = {
  getRtiStatus: { slots: ['place'], request: ({ at }) => ({ params: { id: at.place.studentId } }) },
  listStudentAlerts: {
    slots: ['place'],
    request: ({ at }) => ({ params: { id: at.place.studentId }, query: { state: 'open' } }),
  },
  listClassAlerts: {
    slots: ['place'],
    request: ({ at }) => ({ params: { classId: at.place.classId }, query: { kind: 'Student_Alert' } }),
  },
  acknowledgeAlert: {
    slots: ['place'],
    request: async ({ at }) => ({ params: { alertId: await at.place.fresh.openAlert() }, body: {} }),
  },
  dismissAlert: {
    slots: ['place'],
    request: async ({ at }) => ({
      params: { alertId: await at.place.fresh.openAlert() },
      body: { overrideCode: 'Alr_Already_Addressed_06' },
    }),
  },
  evaluateRti: { slots: ['place'], request: ({ at }) => ({ params: { id: at.place.studentId }, body: {} }) },
};
