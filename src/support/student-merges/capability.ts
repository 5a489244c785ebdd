// The capability value of merging two accounts of one child. It stands above everything that an account leaves behind.
import type { Capability } from '#core/module/capability.ts';
import { studentMergeRoutes } from './routes.ts';

export const studentMergesCapability: Capability = {
  name: 'student-merges',
  routes: studentMergeRoutes,
  audited: {
    student_merge: {
      id: 'student_id',
      fields: ['id', 'into_student_id', 'reason_code', 'at', 'undone_at'],
    },
  },
};
