// The data room of a student.
import type { Entries } from '../entry.ts';

export const decisionPacketEntries: Entries = {
  listDataRoomEvidence: {
    slots: ['place'],
    request: ({ at }) => ({ params: { id: at.place.studentId }, query: { type: 'alert', from: '2026-01-01' } }),
  },
};
