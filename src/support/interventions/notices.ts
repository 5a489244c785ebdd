// Notifications about assignments: to teachers when a modification is suggested or a plan has ended, to parents when one has
// started. While the student is halted only what became of a plan is told.
import Type from 'typebox';
import { CalendarDate, IntegerId, object, oneOf } from '#core/http/schemas.ts';
import { TextId } from '#core/module/events.ts';
import type { Trx } from '#core/platform/db.ts';
import {
  firstPresent,
  notice,
  notificationKind,
  notify,
  parentsOfStudents,
  type StaffOfStudent,
  staffOfStudents,
  teachersOfStudents,
} from '#messaging/notifications/index.ts';
import { type AssignmentSuggestion, assignmentSuggestions, measuringActions } from './assignment-rows/enums.ts';
import { assignmentActivated, planModificationSuggested } from './assignments/events.ts';
import { haltedStudents } from './support/halted.ts';

const ofPlan = { studentId: IntegerId, assignmentId: TextId };

const planModification = notificationKind(
  'plan_modification_suggestion',
  object({
    ...ofPlan,
    suggestionCode: oneOf(assignmentSuggestions),
    nextAction: Type.Optional(oneOf(measuringActions)),
    measureFrom: Type.Optional(CalendarDate),
  }),
);
const planBegun = notificationKind('parent_tsp_activation', object(ofPlan));

export const assignmentNotificationKinds = [planModification, planBegun] as const;

/** The events about students who are not halted. */
async function decided<Event extends { readonly payload: { readonly studentId: number } }>(
  trx: Trx,
  organizationId: string,
  events: readonly Event[],
): Promise<readonly Event[]> {
  const studentIds = events.map(({ payload }) => payload.studentId);
  const halted = await haltedStudents(trx, organizationId, studentIds);
  return events.filter(({ payload }) => !halted.has(payload.studentId));
}

const suggestions = notify({
  name: 'notify-plan-modification',
  to: [planModificationSuggested],
  async notices(trx, organizationId, events) {
    const isFact = ({ payload }: (typeof events)[number]) => facts.has(payload.suggestionCode);
    const notHalted = await decided(
      trx,
      organizationId,
      events.filter((event) => !isFact(event)),
    );
    const told = [...notHalted, ...events.filter(isFact)];
    const studentIds = told.map(({ payload }) => payload.studentId);
    const teachersOf = await teachersOfStudents(trx, organizationId, studentIds);
    const staffOf = await staffOfStudents(trx, organizationId, studentIds);
    return new Map(
      told.map((event) => {
        const { bundle_id, ...payload } = event.payload;
        const { studentId, assignmentId } = payload;
        const recipients = isFact(event) ? teachersOrNext(staffOf(studentId)) : teachersOf(studentId);
        return [
          event.id,
          [notice(planModification, payload, { recipients, source: { type: 'bundle_assignment', id: assignmentId } })],
        ];
      }),
    );
  },
});

/** What became of a plan is told also while the student is halted, and to the next in charge where no teacher may sign in. */
const facts: ReadonlySet<AssignmentSuggestion> = new Set([
  ...(['plan_completed', 'plan_overdue', 'plan_expired', 'provider_left'] as const),
]);

const teachersOrNext = ({ teachers, principals, admins }: StaffOfStudent) =>
  firstPresent(
    teachers,
    principals,
    admins.map(({ id }) => id),
  );

const beginnings = notify({
  name: 'notify-plan-begun',
  to: [assignmentActivated],
  async notices(trx, organizationId, events) {
    const notHalted = await decided(trx, organizationId, events);
    const studentIds = notHalted.map(({ payload }) => payload.studentId);
    const parentsOf = await parentsOfStudents(trx, organizationId, studentIds);
    return new Map(
      notHalted.map(({ id, payload: { studentId, assignmentId } }) => {
        const to = { recipients: parentsOf(studentId), source: { type: 'bundle_assignment', id: assignmentId } };
        return [id, [notice(planBegun, { studentId, assignmentId }, to)]];
      }),
    );
  },
});

export const assignmentNotices = [suggestions, beginnings];
