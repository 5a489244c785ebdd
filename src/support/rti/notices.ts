// Notifications to teachers about alerts: one has opened in their class, or a dismissal ends soon.
import Type from 'typebox';
import { CalendarDate, IntegerId, object, oneOf, Timestamp } from '#core/http/schemas.ts';
import { TextId } from '#core/module/events.ts';
import { type Notice, notice, notificationKind, notify, teachersOfStudents } from '#messaging/notifications/index.ts';
import { alertOpened, dismissalExpiring } from './events.ts';

const ofAlert = { studentId: IntegerId, alertId: TextId };
const toStudentAlert = ['Student_Alert', 'Intensive_Review', 'acute_regression_review'] as const;

const toAcknowledge = notificationKind(
  'q5_24h_ack',
  object({ studentId: IntegerId, reviewId: TextId, dueAt: Timestamp }),
);
const skillAlert = notificationKind('skill_alert_assigned', object({ ...ofAlert, subSkillCode: Type.String() }));
const studentAlert = notificationKind(
  'student_alert_assigned',
  object({ ...ofAlert, alertKind: oneOf(toStudentAlert) }),
);
const dismissalExpiry = notificationKind('dismissal_expiry', object({ ...ofAlert, expiresOn: CalendarDate }));

export const alertNotificationKinds = [toAcknowledge, skillAlert, studentAlert, dismissalExpiry] as const;

type Opened = Parameters<typeof noticeOfOpened>[0];

function noticeOfOpened(
  opened: {
    readonly studentId: number;
    readonly alertId: string;
    readonly kind: string;
    readonly subSkillCode: string | null;
    readonly dueAt: string | null;
  },
  recipients: readonly number[],
): Notice | undefined {
  const { studentId, alertId, kind, subSkillCode, dueAt } = opened;
  const to = { recipients, source: { type: 'rti_alert', id: alertId } };
  if (kind === 'tier_review_due')
    return dueAt === null ? undefined : notice(toAcknowledge, { studentId, reviewId: alertId, dueAt }, to);
  if (kind === 'Skill_Alert')
    return subSkillCode === null ? undefined : notice(skillAlert, { studentId, alertId, subSkillCode }, to);
  const alertKind = toStudentAlert.find((one) => one === kind);
  return alertKind && notice(studentAlert, { studentId, alertId, alertKind }, to);
}

const openings = notify({
  name: 'notify-alert-opened',
  to: [alertOpened],
  async notices(trx, organizationId, events) {
    const teachersOf = await teachersOfStudents(trx, organizationId, studentsOf(events));
    return new Map(
      events.map(({ id, payload }) => [id, listed(noticeOfOpened(payload as Opened, teachersOf(payload.studentId)))]),
    );
  },
});

const expiries = notify({
  name: 'notify-dismissal-expiry',
  to: [dismissalExpiring],
  async notices(trx, organizationId, events) {
    const studentIds = studentsOf(events);
    const teachersOf = await teachersOfStudents(trx, organizationId, studentIds);
    return new Map(
      events.map(({ id, payload: { studentId, alertId, expiresOn } }) => {
        const to = { recipients: teachersOf(studentId), source: { type: 'rti_alert', id: alertId } };
        return [id, [notice(dismissalExpiry, { studentId, alertId, expiresOn }, to)]];
      }),
    );
  },
});

const studentsOf = (events: readonly { readonly payload: { readonly studentId: number } }[]): number[] =>
  events.map(({ payload }) => payload.studentId);

const listed = <T>(one: T | undefined): readonly T[] => (one === undefined ? [] : [one]);

export const alertNotices = [openings, expiries];
