// What the walks over all routes need to know of the operations of sign-in, student data and the record of changes.
import type { Entries } from '../contract/entry.ts';

export const securityEntries: Entries = {
  loginWithQuickCode: { request: () => ({ body: { quickCode: 'ABCD2345' } }), expect: 401 },
  // Nothing is configured in the walks.
  startGoogleSignIn: { expect: 503 },
  finishGoogleSignIn: { expect: 503 },
  exchangeGoogleCode: { request: () => ({ body: { code: 'stranger' } }), expect: 401 },
  // The people of the walks have no password.
  changePassword: {
    request: () => ({ body: { currentPassword: 'anything', newPassword: 'a long enough password' } }),
    expect: { SUPER: 401, ADMIN: 401, MANAGER: 401, PRINCIPAL: 401, TEACHER: 401, PARENT: 401, STUDENT: 401 },
  },
  issueQuickCode: { slots: ['place'], request: ({ at }) => ({ params: { id: at.place.studentId } }) },
  issueClassQuickCodes: { slots: ['place'], request: ({ at }) => ({ params: { id: at.place.classId } }) },
  exportStudentData: { slots: ['place'], request: ({ at }) => ({ params: { id: at.place.studentId } }) },
  eraseStudent: {
    slots: ['place'],
    request: async ({ at }) => ({ params: { id: await at.place.fresh.user('STUDENT') } }),
  },
  listOrganizationAudit: { slots: ['place'], request: ({ at }) => ({ params: { id: at.place.organizationId } }) },
};
