// Reads of families.
import type { Entries, Entry } from '../../requests/entry.ts';

const ofChild: Entry = { slots: ['tenant'], request: ({ at }) => ({ params: { childId: at.tenant.childId } }) };

const ofBatch: Entry = {
  slots: ['tenant'],
  request: async ({ at }) => ({ params: { id: await at.tenant.fresh.letters() } }),
};

export const parentEntries: Entries = {
  listChildren: {},
  /** The id of another parent's link is not found. */
  listChildDiagnostics: { ...ofChild, expect: { 'PARENT elsewhere': 404 } },
  getChildGrowth: { ...ofChild, expect: { 'PARENT elsewhere': 404 } },
  readParentLetter: {
    ...ofChild,
    expect: {
      ...{ SUPER: 200, ADMIN: 200, MANAGER: 403, PRINCIPAL: 403, TEACHER: 200, PARENT: 200, STUDENT: 403, nobody: 401 },
      ...{ 'PRINCIPAL elsewhere': 403, 'TEACHER elsewhere': 403, 'PARENT elsewhere': 404, 'STUDENT elsewhere': 403 },
    },
  },
  renderParentPdf: { slots: ['tenant'], request: ({ at }) => ({ params: { childId: at.tenant.studentId }, body: {} }) },
  getChildRecommendations: { ...ofChild, expect: { 'PARENT elsewhere': 404 } },
  startParentPdfBatch: { slots: ['tenant'], request: ({ at }) => ({ body: { classId: at.tenant.classId } }) },
  getParentPdfBatch: ofBatch,
  getParentPdfBatchFile: ofBatch,
};
