// What to measure next.
import type { Entries } from '../../requests/entry.ts';

export const nextDataEntries: Entries = {
  getStudentNextDataPlan: { slots: ['place'], request: ({ at }) => ({ params: { id: at.place.studentId } }) },
  getClassNextDataPlan: { slots: ['place'], request: ({ at }) => ({ params: { id: at.place.classId } }) },
};
