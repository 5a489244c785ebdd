// Notifications about a student, and their erasure: a text may contain the student's name.
import type { PersonalDataSection, StudentForgotten } from '#identity/people/index.ts';
import { Notification, NotificationRequest } from './notification.ts';

export const notificationsSection: PersonalDataSection = {
  name: 'notifications',
  tables: [
    { table: 'notification', student: 'studentId' },
    { table: 'notification_request', student: 'studentId' },
  ],
};

/** A dispatch that is under way waits for the student's row and finds no request afterwards. */
export const forgetNotifications: StudentForgotten = async (trx, { organizationId, id }) => {
  await Notification.query(trx).where({ organizationId, studentId: id }).delete();
  await NotificationRequest.query(trx).where({ organizationId, studentId: id }).delete();
};
