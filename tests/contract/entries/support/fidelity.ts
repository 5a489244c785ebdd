// Delivered sessions compared with planned ones.
import type { Entries } from '../../requests/entry.ts';

export const fidelityEntries: Entries = {
  checkFidelity: {
    slots: ['tenant'],
    request: async ({ at }) => ({ params: { bundleAssignmentId: await at.tenant.fresh.assignment() } }),
  },
  recomputeFidelity: {
    slots: ['tenant'],
    request: async ({ at }) => ({ params: { bundleAssignmentId: await at.tenant.fresh.assignment() }, body: {} }),
  },
  getFidelity: {
    slots: ['tenant'],
    request: async ({ at }) => ({ params: { bundleAssignmentId: await at.tenant.fresh.countedAssignment() } }),
  },
  getFidelityTracker: { slots: ['tenant'], request: ({ at }) => ({ params: { id: at.tenant.studentId } }) },
  listLowFidelityCohort: {
    slots: ['tenant'],
    request: ({ at }) => ({ query: { schoolId: at.tenant.schoolId, minWeeks: 1 } }),
  },
};
