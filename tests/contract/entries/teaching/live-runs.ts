// What happens in a live session: answers, observations, own items, the projector, and the summary.
import { randomUUID } from 'node:crypto';
import type { Entries } from '../../requests/entry.ts';

export const liveRunEntries: Entries = {
  submitLiveResponses: {
    slots: ['place'],
    request: async ({ at }) => ({
      params: { id: (await at.place.fresh.taughtLiveSession()).id },
      body: { responses: [{ clientResponseId: randomUUID(), itemRef: 'item-1', selectedOptionIndex: 0 }] },
    }),
  },
  recordLiveObservations: {
    slots: ['place'],
    request: async ({ at }) => ({
      params: { id: (await at.place.fresh.taughtLiveSession()).id },
      body: {
        observations: [
          { clientObservationId: randomUUID(), studentId: at.place.studentId, observationCode: 'self_corrected' },
        ],
      },
    }),
  },
  startIsmRun: {
    slots: ['place'],
    request: async ({ at }) => ({
      params: { id: (await at.place.fresh.taughtLiveSession()).id },
      body: { studentId: at.place.studentId, itemRefs: ['item-2'] },
    }),
  },
  setUpProjector: {
    slots: ['place'],
    request: async ({ at }) => ({
      params: { id: (await at.place.fresh.taughtLiveSession()).id },
      body: { seats: [{ seatNo: 1, studentId: at.place.studentId, itemRef: 'item-1' }] },
    }),
  },
  getProjectorAnswerKey: {
    slots: ['place'],
    request: async ({ at }) => ({ params: { id: (await at.place.fresh.projectedLiveSession()).id } }),
  },
  markProjector: {
    slots: ['place'],
    request: async ({ at }) => {
      const { id, projectorRunId } = await at.place.fresh.projectedLiveSession();
      return {
        params: { id },
        body: { projectorRunId, marks: [{ seatNo: 1, mark: 'correct', selectedOptionIndex: 0 }] },
      };
    },
  },
  commitProjector: {
    slots: ['place'],
    request: async ({ at }) => {
      const { id, projectorRunId } = await at.place.fresh.projectedLiveSession();
      return { params: { id }, body: { projectorRunId } };
    },
  },
  getLiveSummary: {
    slots: ['place'],
    request: async ({ at }) => ({ params: { id: (await at.place.fresh.taughtLiveSession()).id } }),
  },
};
