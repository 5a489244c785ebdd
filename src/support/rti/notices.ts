// Notifications about alerts: one has opened in a class, is due or overdue, or its dismissal ends soon. The kind of alerts is
// also that of packets.
import Type from 'typebox';
import { CalendarDate, IntegerId, object, oneOf, Timestamp } from '#core/http/schemas.ts';
import { TextId } from '#core/module/events.ts';
import {
  firstPresent,
  type Notice,
  notice,
  notificationKind,
  notify,
  type StaffOfStudent,
  staffOfStudents,
  teachersOfStudents,
} from '#messaging/notifications/index.ts';
import { type ShownStage, shownStages } from './engine/due/due-days.ts';
import { reviewTypes, tierDecisions } from './engine/vocabulary.ts';
import { alertOpened, alertStageCame, dismissalExpiring } from './events.ts';

const ofAlert = { studentId: IntegerId, alertId: TextId };
const toStudentAlert = ['Student_Alert', 'Intensive_Review', 'acute_regression_review'] as const;

const toAcknowledge = notificationKind(
  'q5_24h_ack',
  object({ studentId: IntegerId, reviewId: TextId, dueAt: Timestamp, stage: oneOf(shownStages) }),
);
const skillAlert = notificationKind(
  'skill_alert_assigned',
  object({ ...ofAlert, subSkillCode: Type.String(), stage: oneOf(shownStages) }),
);
/** What became of a packet. */
export const packetDecisionWords = [...tierDecisions, 'rejected'] as const;

export const studentAlert = notificationKind(
  'student_alert_assigned',
  object({
    studentId: IntegerId,
    stage: oneOf([...shownStages, 'packet_waiting', 'packet_decided', 'packet_due_again']),
    alertId: Type.Optional(TextId),
    alertKind: Type.Optional(oneOf(toStudentAlert)),
    packetId: Type.Optional(TextId),
    reviewType: Type.Optional(oneOf(reviewTypes)),
    decision: Type.Optional(oneOf(packetDecisionWords)),
  }),
);
const dismissalExpiry = notificationKind('dismissal_expiry', object({ ...ofAlert, expiresOn: CalendarDate }));

export const alertNotificationKinds = [toAcknowledge, skillAlert, studentAlert, dismissalExpiry] as const;

interface AboutAlert {
  readonly studentId: number;
  readonly alertId: string;
  readonly kind: string;
  readonly subSkillCode: string | null;
  readonly dueAt: string | null;
  readonly stage: ShownStage;
}

function noticeOf(
  { studentId, alertId, kind, subSkillCode, dueAt, stage }: AboutAlert,
  recipients: readonly number[],
): Notice | undefined {
  const to = { recipients, source: { type: 'rti_alert', id: alertId } };
  if (kind === 'tier_review_due')
    return dueAt === null ? undefined : notice(toAcknowledge, { studentId, reviewId: alertId, dueAt, stage }, to);
  if (kind === 'Skill_Alert')
    return subSkillCode === null ? undefined : notice(skillAlert, { studentId, alertId, subSkillCode, stage }, to);
  const alertKind = toStudentAlert.find((one) => one === kind);
  return alertKind && notice(studentAlert, { studentId, stage, alertId, alertKind }, to);
}

const adminIds = ({ admins }: StaffOfStudent): number[] => admins.map(({ id }) => id);

/** The teachers of the class; without one the principals of the school, else the administrators. */
const teachersOrNext = (staff: StaffOfStudent) => firstPresent(staff.teachers, staff.principals, adminIds(staff));

const openings = notify({
  name: 'notify-alert-opened',
  to: [alertOpened],
  async notices(trx, organizationId, events) {
    const studentIds = studentsOf(events);
    const teachersOf = await teachersOfStudents(trx, organizationId, studentIds);
    const staffOf = await staffOfStudents(trx, organizationId, studentIds);
    return new Map(
      events.map(({ id, payload: { isFollowed, ...about } }) => {
        const { studentId } = about;
        const recipients = isFollowed ? teachersOrNext(staffOf(studentId)) : teachersOf(studentId);
        return [id, listed(noticeOf({ ...about, stage: 'opened' }, recipients))];
      }),
    );
  },
});

const stages = notify({
  name: 'notify-alert-stage',
  to: [alertStageCame],
  async notices(trx, organizationId, events) {
    const staffOf = await staffOfStudents(trx, organizationId, studentsOf(events));
    return new Map(
      events.map(({ id, payload: { to, ...about } }) => {
        const staff = staffOf(about.studentId);
        return [id, listed(noticeOf(about, recipientsOfStage[to](staff)))];
      }),
    );
  },
});

/** Without principals the administrators are told. */
export const recipientsOfStage = {
  teachers: teachersOrNext,
  principals: (staff: StaffOfStudent) => firstPresent(staff.principals, adminIds(staff)),
  admins: adminIds,
} as const;

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

export const alertNotices = [openings, stages, expiries];
