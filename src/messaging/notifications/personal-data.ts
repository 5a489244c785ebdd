// Which notifications are about a student, and how they go with the student: a text may hold the name.
import type { PersonalDataSection, StudentForgotten } from '#identity/people/index.ts';

export const notificationsSection: PersonalDataSection = {
  name: 'notifications',
  tables: [
    { table: 'notification', student: 'studentId' },
    { table: 'notification_request', student: 'studentId' },
  ],
};

/** What is dispatched at this moment waits for the student's row, and then finds no request. */
export const forgetNotifications: StudentForgotten = async (trx, { organizationId, id }) => {
  await trx('notification').where({ organizationId, studentId: id }).delete();
  await trx('notification_request').where({ organizationId, studentId: id }).delete();
};
