// Organizations, schools, classes and people.
import { newId } from '#core/platform/ids.ts';
import { password } from '../../../harness/factories.ts';
import type { Entries } from '../../requests/entry.ts';

export const tenancyEntries: Entries = {
  createOrganization: {
    request: () => ({ body: { name: 'New', slug: `new-${newId()}`, country: 'SA', defaultLocale: 'ar' } }),
  },
  listOrganizations: {},
  getOrganization: { slots: ['tenant'], request: ({ at }) => ({ params: { id: at.tenant.organizationId } }) },
  updateOrganization: {
    slots: ['tenant'],
    request: ({ at }) => ({ params: { id: at.tenant.organizationId }, body: { name: 'Renamed' } }),
  },
  listOrganizationAudit: { slots: ['tenant'], request: ({ at }) => ({ params: { id: at.tenant.organizationId } }) },
  createSchool: {
    slots: ['tenant'],
    request: ({ at }) => ({ body: { organizationId: at.tenant.organizationId, name: 'New', country: 'SA' } }),
  },
  listSchools: {
    slots: ['filter'],
    request: ({ at }) => ({ query: { organizationId: at.filter.organizationId } }),
  },
  getSchool: { slots: ['tenant'], request: ({ at }) => ({ params: { id: at.tenant.schoolId } }) },
  updateSchool: {
    slots: ['tenant'],
    request: ({ at }) => ({ params: { id: at.tenant.schoolId }, body: { name: 'Renamed' } }),
  },
  deleteSchool: { slots: ['tenant'], request: async ({ at }) => ({ params: { id: await at.tenant.fresh.school() } }) },
  rollOverSchool: {
    slots: ['tenant'],
    request: async ({ at }) => ({
      params: { id: await at.tenant.fresh.schoolOfLastYear() },
      body: { fromYear: '2024-2025' },
    }),
  },
  undoRollOver: {
    slots: ['tenant'],
    request: async ({ at }) => ({ params: { id: await at.tenant.fresh.rollOver() }, body: {} }),
  },
  createClass: {
    slots: ['tenant', 'content'],
    request: async ({ at }) => ({
      body: {
        schoolId: at.tenant.schoolId,
        name: '1C',
        grade: 1,
        academicYear: '2025-2026',
        teacherUserIds: [at.content.teacherId],
      },
    }),
  },
  listClasses: {
    slots: ['filter'],
    request: ({ at }) => ({ query: { schoolId: at.filter.schoolId } }),
  },
  getClass: { slots: ['tenant'], request: ({ at }) => ({ params: { id: at.tenant.classId } }) },
  updateClass: {
    slots: ['tenant'],
    request: ({ at }) => ({ params: { id: at.tenant.classId }, body: { name: 'Renamed' } }),
  },
  deleteClass: { slots: ['tenant'], request: async ({ at }) => ({ params: { id: await at.tenant.fresh.class() } }) },
  attachTeacher: {
    slots: ['tenant', 'content'],
    request: async ({ at }) => ({
      params: { id: at.tenant.classId },
      body: { teacherUserId: await at.content.fresh.user('TEACHER') },
    }),
  },
  detachTeacher: {
    slots: ['tenant'],
    request: async ({ at }) => ({
      params: { id: at.tenant.classId, teacherUserId: await at.tenant.fresh.classTeacher() },
    }),
  },
  enrollStudents: {
    slots: ['tenant', 'content'],
    request: async ({ at }) => ({
      params: { id: at.tenant.classId },
      body: { studentIds: [await at.content.fresh.user('STUDENT')] },
    }),
  },
  listClassStudents: { slots: ['tenant'], request: ({ at }) => ({ params: { id: at.tenant.classId } }) },
  removeStudentFromClass: {
    slots: ['tenant'],
    request: async ({ at }) => ({ params: { id: at.tenant.classId, studentId: await at.tenant.fresh.student() } }),
  },
  createUser: {
    slots: ['tenant', 'content'],
    request: ({ at }) => ({
      body: {
        primaryPersona: 'TEACHER',
        fullNameAr: 'معلمة',
        email: `${newId()}@example.org`,
        password,
        organizationId: at.tenant.organizationId,
        classIds: [at.content.classId],
      },
    }),
  },
  listUsers: {
    slots: ['filter'],
    request: ({ at }) => ({ query: { organizationId: at.filter.organizationId, classId: at.filter.classId } }),
  },
  getUser: { slots: ['tenant'], request: ({ at }) => ({ params: { id: at.tenant.teacherId } }) },
  updateUser: {
    slots: ['tenant', 'content'],
    request: async ({ at }) => ({
      params: { id: await at.tenant.fresh.user('PRINCIPAL') },
      body: { schoolIds: [at.content.schoolId] },
    }),
  },
  deactivateUser: {
    slots: ['tenant'],
    request: async ({ at }) => ({ params: { id: await at.tenant.fresh.user('TEACHER') } }),
  },
  reactivateUser: {
    slots: ['tenant'],
    request: async ({ at }) => ({ params: { id: await at.tenant.fresh.user('TEACHER') } }),
  },
  mergeStudents: {
    slots: ['tenant', 'content'],
    request: async ({ at }) => ({
      params: { id: await at.tenant.fresh.student() },
      body: { intoStudentId: await at.content.fresh.user('STUDENT'), reasonCode: 'duplicate_account' },
    }),
  },
  unmergeStudents: {
    slots: ['tenant'],
    request: async ({ at }) => ({ params: { mergeId: await at.tenant.fresh.merge() }, body: {} }),
  },
  linkParent: {
    slots: ['tenant', 'content'],
    request: async ({ at }) => ({
      params: { id: at.tenant.studentId },
      body: { parentUserId: await at.content.fresh.user('PARENT') },
    }),
  },
  unlinkParent: {
    slots: ['tenant'],
    request: async ({ at }) => ({
      params: { id: at.tenant.studentId, parentUserId: await at.tenant.fresh.linkedParent() },
    }),
  },
};
