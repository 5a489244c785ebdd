// Assignments and their workflow.
import type { Entries } from '../../requests/entry.ts';

/** Principals never write about support. */
const principals = ['PRINCIPAL', 'PRINCIPAL elsewhere'] as const;

export const workflowEntries: Entries = {
  getBundleAssignment: {
    slots: ['tenant'],
    request: async ({ at }) => ({ params: { assignmentId: await at.tenant.fresh.assignment() } }),
  },
  listStudentAssignments: { slots: ['tenant'], request: ({ at }) => ({ params: { id: at.tenant.studentId } }) },
  listClassAssignments: {
    slots: ['tenant'],
    request: ({ at }) => ({
      params: { id: at.tenant.classId },
      query: { state: 'active', bundle_id: 'SUP-DECODE-01' },
    }),
  },
  getClassWorkload: { slots: ['tenant'], request: ({ at }) => ({ params: { id: at.tenant.classId } }) },
  activateBundle: {
    slots: ['tenant'],
    refusedFirst: principals,
    request: ({ at }) => ({ body: { studentId: at.tenant.studentId, bundle_id: 'BND-DECODE-01' } }),
  },
  reviewAssignment: {
    slots: ['tenant'],
    refusedFirst: principals,
    request: async ({ at }) => ({
      body: { assignmentId: await at.tenant.fresh.assignment(), action: 'pause', reasonCode: 'School_Break' },
    }),
  },
  saveWorkflowDraft: {
    slots: ['tenant', 'content'],
    refusedFirst: [...principals, 'SUPER', 'ADMIN'],
    request: ({ at }) => ({
      body: {
        classId: at.tenant.classId,
        draft: { step: 'select_bundle', selections: [{ studentId: at.content.studentId, bundle_id: 'SUP-DECODE-01' }] },
      },
    }),
  },
  getWorkflowDraft: {
    slots: ['tenant'],
    request: async ({ at }) => ({
      params: { teacherId: await at.tenant.fresh.draftingTeacher(), classId: at.tenant.classId },
    }),
    expect: {
      nobody: 401,
      // A teacher sees the own drafts, an administrator those of all teachers.
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
