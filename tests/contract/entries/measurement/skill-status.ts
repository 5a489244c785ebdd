// The reads of the skill-status engine.
import type { Entries } from '../../requests/entry.ts';

const ofStudent = {
  slots: ['place'],
  request: ({ at }) => ({ params: { id: at.place.studentId } }),
} as const satisfies Entries[string];

export const skillStatusEntries: Entries = {
  getSkillStatus: ofStudent,
  getDomainStatus: ofStudent,
  listPatternHistory: ofStudent,
  listBehaviorLogs: ofStudent,
  listRuleLayers: {},
};
