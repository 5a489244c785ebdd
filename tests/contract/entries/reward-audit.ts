// Reward ledgers of a student, for administrators. The target's student has no entries.
import type { Entries } from '../requests/entry.ts';

export const rewardAuditEntries: Entries = {
  getGamificationAudit: {
    slots: ['tenant'],
    request: ({ at }) => ({ query: { studentId: at.tenant.studentId } }),
  },
  replayGamification: {
    slots: ['tenant'],
    request: ({ at }) => ({ body: { studentId: at.tenant.studentId, asOf: '2026-01-31T08:00:00.000Z' } }),
  },
};
