// What families read.
import type { Entries, Entry } from '../../requests/entry.ts';

const ofChild: Entry = { slots: ['place'], request: ({ at }) => ({ params: { childId: at.place.childId } }) };

const ofBatch: Entry = {
  slots: ['place'],
  request: async ({ at }) => ({ params: { id: await at.place.fresh.letters() } }),
};

export const parentEntries: Entries = {
  listChildren: {},
  /** A handle that is not one's own is nothing. */
  listChildDiagnostics: { ...ofChild, expect: { 'PARENT elsewhere': 404 } },
  getChildGrowth: { ...ofChild, expect: { 'PARENT elsewhere': 404 } },
  readParentLetter: {
    ...ofChild,
    expect: {
      ...{ SUPER: 200, ADMIN: 200, MANAGER: 403, PRINCIPAL: 403, TEACHER: 200, PARENT: 200, STUDENT: 403, nobody: 401 },
      ...{ 'PRINCIPAL elsewhere': 403, 'TEACHER elsewhere': 403, 'PARENT elsewhere': 404, 'STUDENT elsewhere': 403 },
    },
  },
  renderParentPdf: { slots: ['place'], request: ({ at }) => ({ params: { childId: at.place.studentId }, body: {} }) },
  getChildRecommendations: { ...ofChild, expect: { 'PARENT elsewhere': 404 } },
  startParentPdfBatch: { slots: ['place'], request: ({ at }) => ({ body: { classId: at.place.classId } }) },
  getParentPdfBatch: ofBatch,
  getParentPdfBatchFile: ofBatch,
};
