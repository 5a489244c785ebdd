// Live lessons in progress: responses, observations, own items, the projector, and the summary.
import { randomUUID } from 'node:crypto';
import type { Entries } from '../../requests/entry.ts';

export const liveRunEntries: Entries = {
  submitLiveResponses: {
    slots: ['tenant'],
    request: async ({ at }) => ({
      params: { id: (await at.tenant.fresh.taughtLiveSession()).id },
      body: { responses: [{ clientResponseId: randomUUID(), itemRef: 'item-1', selectedOptionIndex: 0 }] },
    }),
  },
  recordLiveObservations: {
    slots: ['tenant'],
    request: async ({ at }) => ({
      params: { id: (await at.tenant.fresh.taughtLiveSession()).id },
      body: {
        observations: [
          { clientObservationId: randomUUID(), studentId: at.tenant.studentId, observationCode: 'self_corrected' },
        ],
      },
    }),
  },
  startIsmRun: {
    slots: ['tenant'],
    request: async ({ at }) => ({
      params: { id: (await at.tenant.fresh.taughtLiveSession()).id },
      body: { studentId: at.tenant.studentId, itemRefs: ['item-2'] },
    }),
  },
  setUpProjector: {
    slots: ['tenant'],
    request: async ({ at }) => ({
      params: { id: (await at.tenant.fresh.taughtLiveSession()).id },
      body: { seats: [{ seatNo: 1, studentId: at.tenant.studentId, itemRef: 'item-1' }] },
    }),
  },
  getProjectorAnswerKey: {
    slots: ['tenant'],
    request: async ({ at }) => ({ params: { id: (await at.tenant.fresh.projectedLiveSession()).id } }),
  },
  markProjector: {
    slots: ['tenant'],
    request: async ({ at }) => {
      const { id, projectorRunId } = await at.tenant.fresh.projectedLiveSession();
      return {
        params: { id },
        body: { projectorRunId, marks: [{ seatNo: 1, mark: 'correct', selectedOptionIndex: 0 }] },
      };
    },
  },
  commitProjector: {
    slots: ['tenant'],
    request: async ({ at }) => {
      const { id, projectorRunId } = await at.tenant.fresh.projectedLiveSession();
      return { params: { id }, body: { projectorRunId } };
    },
  },
  getLiveSummary: {
    slots: ['tenant'],
    request: async ({ at }) => ({ params: { id: (await at.tenant.fresh.taughtLiveSession()).id } }),
  },
};
