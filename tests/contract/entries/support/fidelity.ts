// What was delivered against what was planned.
import type { Entries } from '../../requests/entry.ts';

export const fidelityEntries: Entries = {
  checkFidelity: {
    slots: ['place'],
    request: async ({ at }) => ({ params: { bundleAssignmentId: await at.place.fresh.assignment() } }),
  },
  recomputeFidelity: {
    slots: ['place'],
    request: async ({ at }) => ({ params: { bundleAssignmentId: await at.place.fresh.assignment() }, body: {} }),
  },
  getFidelity: {
    slots: ['place'],
    request: async ({ at }) => ({ params: { bundleAssignmentId: await at.place.fresh.countedAssignment() } }),
  },
  getFidelityTracker: { slots: ['place'], request: ({ at }) => ({ params: { id: at.place.studentId } }) },
  listLowFidelityCohort: {
    slots: ['place'],
    request: ({ at }) => ({ query: { schoolId: at.place.schoolId, minWeeks: 1 } }),
  },
};
