// Reads of the skill-status engine.
import type { Entries } from '../../requests/entry.ts';

const ofStudent = {
  slots: ['tenant'],
  request: ({ at }) => ({ params: { id: at.tenant.studentId } }),
} as const satisfies Entries[string];

export const skillStatusEntries: Entries = {
  getSkillStatus: ofStudent,
  getDomainStatus: ofStudent,
  listPatternHistory: ofStudent,
  listBehaviorLogs: ofStudent,
  listRuleLayers: {},
};
