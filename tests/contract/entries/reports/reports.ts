// Reports on students and classes, and documents for classes and boards.
import type { Entries } from '../../requests/entry.ts';

export const reportEntries: Entries = {
  listBandDescriptions: {},
  getSubSkillReport: { slots: ['place'], request: ({ at }) => ({ params: { id: at.place.studentId } }) },
  /** Without an audience it is the teachers'. */
  getClassSummary: {
    slots: ['place'],
    request: ({ at }) => ({ params: { id: at.place.classId } }),
    expect: { MANAGER: 403 },
  },
  startClassReportPdf: { slots: ['place'], request: ({ at }) => ({ params: { id: at.place.classId }, body: {} }) },
  startBoardPdf: {
    slots: ['place'],
    request: ({ at }) => ({ params: { orgId: at.place.organizationId }, body: {} }),
  },
};
