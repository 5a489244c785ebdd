// The capability for context flags of students.
import type { Capability } from '#core/module/capability.ts';
import { contextFlagChanged } from './events.ts';
import { contextFlagSection } from './personal-data.ts';
import { studentsFlaggedForReview } from './queries.ts';
import { contextFlagRoutes } from './routes.ts';
import { recordTurns } from './writes/record-turns.ts';

export const contextFlagsCapability: Capability = {
  name: 'context-flags',
  routes: contextFlagRoutes,
  events: [contextFlagChanged],
  contextReviewReaders: [studentsFlaggedForReview],
  daily: [
    {
      name: 'context-flag-turns',
      dailyAt: 0,
      of: 'organization',
      run: (services, _queues, turn) => recordTurns(services, turn),
    },
  ],
  audited: {
    context_flag: { id: 'student_id', fields: ['id', 'flag_code', 'effective_from', 'effective_to', 'ended'] },
    context_flag_refusal: { id: 'student_id', fields: ['length'] },
  },
  personalData: [contextFlagSection],
};
