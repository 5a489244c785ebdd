// Context flags of a student.
import type { Entries } from '../../requests/entry.ts';

export const contextFlagEntries: Entries = {
  setContextFlag: {
    slots: ['tenant'],
    request: ({ at }) => ({
      params: { id: at.tenant.studentId },
      body: { flagCode: 'long_absence', effectiveFrom: '2026-01-10', effectiveTo: '2026-03-01', ended: false },
    }),
  },
  listContextFlags: { slots: ['tenant'], request: ({ at }) => ({ params: { id: at.tenant.studentId } }) },
};
