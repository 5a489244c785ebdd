// Recommendations, decisions and the reasons for them.
import type { Entries } from '../../requests/entry.ts';

export const rtiDecisionEntries: Entries = {
  getRtiRecommendation: { slots: ['place'], request: ({ at }) => ({ params: { id: at.place.studentId } }) },
  /** The target's student was never measured: nothing is decided, whatever is asked. */
  commitRtiDecision: {
    slots: ['place'],
    request: ({ at }) => ({
      params: { id: at.place.studentId },
      body: { recommendationId: '0'.repeat(32), decision: 'maintain' },
    }),
  },
  listRtiDecisions: { slots: ['place'], request: ({ at }) => ({ params: { id: at.place.studentId } }) },
  getRtiBoard: { slots: ['place'], request: ({ at }) => ({ params: { classId: at.place.classId } }) },
  listReasonCodes: { request: () => ({ query: { scope: 'rti_decision' } }) },
};
