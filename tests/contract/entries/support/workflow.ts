// Assignments, and what people do with them.
import type { Entries } from '../../requests/entry.ts';

/** They never write about support. */
const principals = ['PRINCIPAL', 'PRINCIPAL elsewhere'] as const;

export const workflowEntries: Entries = {
  getBundleAssignment: {
    slots: ['place'],
    request: async ({ at }) => ({ params: { assignmentId: await at.place.fresh.assignment() } }),
  },
  listStudentAssignments: { slots: ['place'], request: ({ at }) => ({ params: { id: at.place.studentId } }) },
  listClassAssignments: {
    slots: ['place'],
    request: ({ at }) => ({ params: { id: at.place.classId }, query: { state: 'active', bundle_id: 'SUP-DECODE-01' } }),
  },
  getClassWorkload: { slots: ['place'], request: ({ at }) => ({ params: { id: at.place.classId } }) },
  activateBundle: {
    slots: ['place'],
    refusedFirst: principals,
    request: ({ at }) => ({ body: { studentId: at.place.studentId, bundle_id: 'BND-DECODE-01' } }),
  },
  reviewAssignment: {
    slots: ['place'],
    refusedFirst: principals,
    request: async ({ at }) => ({
      body: { assignmentId: await at.place.fresh.assignment(), action: 'pause', reasonCode: 'School_Break' },
    }),
  },
  saveWorkflowDraft: {
    slots: ['place', 'content'],
    refusedFirst: [...principals, 'SUPER', 'ADMIN'],
    request: ({ at }) => ({
      body: {
        classId: at.place.classId,
        draft: { step: 'select_bundle', selections: [{ studentId: at.content.studentId, bundle_id: 'SUP-DECODE-01' }] },
      },
    }),
  },
  getWorkflowDraft: {
    slots: ['place'],
    request: async ({ at }) => ({
      params: { teacherId: await at.place.fresh.draftingTeacher(), classId: at.place.classId },
    }),
    expect: {
      nobody: 401,
      // A teacher's own; administrators see every teacher's.
      SUPER: 200,
      ADMIN: 200,
      TEACHER: 200,
      'TEACHER elsewhere': 403,
      MANAGER: 403,
      PRINCIPAL: 403,
      'PRINCIPAL elsewhere': 403,
      PARENT: 403,
      'PARENT elsewhere': 403,
      STUDENT: 403,
      'STUDENT elsewhere': 403,
    },
  },
};
