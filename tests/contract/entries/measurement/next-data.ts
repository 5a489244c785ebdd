// Recommended next data.
import type { Entries } from '../../requests/entry.ts';

export const nextDataEntries: Entries = {
  getStudentNextDataPlan: { slots: ['tenant'], request: ({ at }) => ({ params: { id: at.tenant.studentId } }) },
  getClassNextDataPlan: { slots: ['tenant'], request: ({ at }) => ({ params: { id: at.tenant.classId } }) },
};
