// A student's ledgers as administrators look into them. The target's student has grown by nothing.
import type { Entries } from '../requests/entry.ts';

export const rewardAuditEntries: Entries = {
  getGamificationAudit: {
    slots: ['place'],
    request: ({ at }) => ({ query: { studentId: at.place.studentId } }),
  },
  replayGamification: {
    slots: ['place'],
    request: ({ at }) => ({ body: { studentId: at.place.studentId, asOf: '2026-01-31T08:00:00.000Z' } }),
  },
};
