// Recommendations, decisions and their reasons.
import type { Entries } from '../../requests/entry.ts';

export const rtiDecisionEntries: Entries = {
  getRtiRecommendation: { slots: ['tenant'], request: ({ at }) => ({ params: { id: at.tenant.studentId } }) },
  /** The target's student was never measured: no decision is possible. */
  commitRtiDecision: {
    slots: ['tenant'],
    request: ({ at }) => ({
      params: { id: at.tenant.studentId },
      body: { recommendationId: '0'.repeat(32), decision: 'maintain' },
    }),
  },
  listRtiDecisions: { slots: ['tenant'], request: ({ at }) => ({ params: { id: at.tenant.studentId } }) },
  getRtiBoard: { slots: ['tenant'], request: ({ at }) => ({ params: { classId: at.tenant.classId } }) },
  listReasonCodes: { request: () => ({ query: { scope: 'rti_decision' } }) },
};
