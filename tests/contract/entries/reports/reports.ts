// Reports about students and classes, and documents for classes and boards.
import type { Entries } from '../../requests/entry.ts';

export const reportEntries: Entries = {
  listBandDescriptions: {},
  getSubSkillReport: { slots: ['tenant'], request: ({ at }) => ({ params: { id: at.tenant.studentId } }) },
  /** The default audience is teachers. */
  getClassSummary: {
    slots: ['tenant'],
    request: ({ at }) => ({ params: { id: at.tenant.classId } }),
    expect: { MANAGER: 403 },
  },
  startClassReportPdf: { slots: ['tenant'], request: ({ at }) => ({ params: { id: at.tenant.classId }, body: {} }) },
  startBoardPdf: {
    slots: ['tenant'],
    request: ({ at }) => ({ params: { orgId: at.tenant.organizationId }, body: {} }),
  },
};
