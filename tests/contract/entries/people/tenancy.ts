// Organizations, schools, classes and people.
import { newId } from '#core/platform/ids.ts';
import { password } from '../../../harness/factories.ts';
import type { Entries } from '../../requests/entry.ts';

export const tenancyEntries: Entries = {
  createOrganization: {
    request: () => ({ body: { name: 'New', slug: `new-${newId()}`, country: 'SA', defaultLocale: 'ar' } }),
  },
  listOrganizations: {},
  getOrganization: { slots: ['place'], request: ({ at }) => ({ params: { id: at.place.organizationId } }) },
  updateOrganization: {
    slots: ['place'],
    request: ({ at }) => ({ params: { id: at.place.organizationId }, body: { name: 'Renamed' } }),
  },
  listOrganizationAudit: { slots: ['place'], request: ({ at }) => ({ params: { id: at.place.organizationId } }) },
  createSchool: {
    slots: ['place'],
    request: ({ at }) => ({ body: { organizationId: at.place.organizationId, name: 'New', country: 'SA' } }),
  },
  listSchools: {
    slots: ['filter'],
    request: ({ at }) => ({ query: { organizationId: at.filter.organizationId } }),
  },
  getSchool: { slots: ['place'], request: ({ at }) => ({ params: { id: at.place.schoolId } }) },
  updateSchool: {
    slots: ['place'],
    request: ({ at }) => ({ params: { id: at.place.schoolId }, body: { name: 'Renamed' } }),
  },
  deleteSchool: { slots: ['place'], request: async ({ at }) => ({ params: { id: await at.place.fresh.school() } }) },
  createClass: {
    slots: ['place', 'content'],
    request: async ({ at }) => ({
      body: {
        schoolId: at.place.schoolId,
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
  getClass: { slots: ['place'], request: ({ at }) => ({ params: { id: at.place.classId } }) },
  updateClass: {
    slots: ['place'],
    request: ({ at }) => ({ params: { id: at.place.classId }, body: { name: 'Renamed' } }),
  },
  deleteClass: { slots: ['place'], request: async ({ at }) => ({ params: { id: await at.place.fresh.class() } }) },
  attachTeacher: {
    slots: ['place', 'content'],
    request: async ({ at }) => ({
      params: { id: at.place.classId },
      body: { teacherUserId: await at.content.fresh.user('TEACHER') },
    }),
  },
  detachTeacher: {
    slots: ['place'],
    request: async ({ at }) => ({
      params: { id: at.place.classId, teacherUserId: await at.place.fresh.classTeacher() },
    }),
  },
  enrollStudents: {
    slots: ['place', 'content'],
    request: async ({ at }) => ({
      params: { id: at.place.classId },
      body: { studentIds: [await at.content.fresh.user('STUDENT')] },
    }),
  },
  listClassStudents: { slots: ['place'], request: ({ at }) => ({ params: { id: at.place.classId } }) },
  removeStudentFromClass: {
    slots: ['place'],
    request: async ({ at }) => ({ params: { id: at.place.classId, studentId: await at.place.fresh.student() } }),
  },
  createUser: {
    slots: ['place', 'content'],
    request: ({ at }) => ({
      body: {
        primaryPersona: 'TEACHER',
        fullNameAr: 'معلمة',
        email: `${newId()}@example.org`,
        password,
        organizationId: at.place.organizationId,
        classIds: [at.content.classId],
      },
    }),
  },
  listUsers: {
    slots: ['filter'],
    request: ({ at }) => ({ query: { organizationId: at.filter.organizationId, classId: at.filter.classId } }),
  },
  getUser: { slots: ['place'], request: ({ at }) => ({ params: { id: at.place.teacherId } }) },
  updateUser: {
    slots: ['place', 'content'],
    request: async ({ at }) => ({
      params: { id: await at.place.fresh.user('PRINCIPAL') },
      body: { schoolIds: [at.content.schoolId] },
    }),
  },
  deactivateUser: {
    slots: ['place'],
    request: async ({ at }) => ({ params: { id: await at.place.fresh.user('TEACHER') } }),
  },
  reactivateUser: {
    slots: ['place'],
    request: async ({ at }) => ({ params: { id: await at.place.fresh.user('TEACHER') } }),
  },
  linkParent: {
    slots: ['place', 'content'],
    request: async ({ at }) => ({
      params: { id: at.place.studentId },
      body: { parentUserId: await at.content.fresh.user('PARENT') },
    }),
  },
  unlinkParent: {
    slots: ['place'],
    request: async ({ at }) => ({
      params: { id: at.place.studentId, parentUserId: await at.place.fresh.linkedParent() },
    }),
  },
};
