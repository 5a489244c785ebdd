// Notifications about assignments: to teachers when a modification is suggested, to parents when one has started. None are sent
// while the student is halted.
import { IntegerId, object, oneOf } from '#core/http/schemas.ts';
import { TextId } from '#core/module/events.ts';
import type { Trx } from '#core/platform/db.ts';
import {
  notice,
  notificationKind,
  notify,
  parentsOfStudents,
  teachersOfStudents,
} from '#messaging/notifications/index.ts';
import { assignmentSuggestions } from './assignment-rows/enums.ts';
import { assignmentActivated, planModificationSuggested } from './assignments/events.ts';
import { haltedStudents } from './support/halted.ts';

const ofPlan = { studentId: IntegerId, assignmentId: TextId };

const planModification = notificationKind(
  'plan_modification_suggestion',
  object({ ...ofPlan, suggestionCode: oneOf(assignmentSuggestions) }),
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
    const notHalted = await decided(trx, organizationId, events);
    const studentIds = notHalted.map(({ payload }) => payload.studentId);
    const teachersOf = await teachersOfStudents(trx, organizationId, studentIds);
    return new Map(
      notHalted.map(({ id, payload: { studentId, assignmentId, suggestionCode } }) => {
        const to = { recipients: teachersOf(studentId), source: { type: 'bundle_assignment', id: assignmentId } };
        return [id, [notice(planModification, { studentId, assignmentId, suggestionCode }, to)]];
      }),
    );
  },
});

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
