// What is told of plans: to teachers that one does not go as planned, to parents that one has begun. Nothing while the student is
// halted.
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
import { assignmentActivated, planModificationSuggested } from './assignments/events.ts';
import { planSuggestions } from './plans/enums.ts';
import { haltedStudents } from './support/halted.ts';

const ofPlan = { studentId: IntegerId, assignmentId: TextId };

const planModification = notificationKind(
  'plan_modification_suggestion',
  object({ ...ofPlan, suggestionCode: oneOf(planSuggestions) }),
);
const planBegun = notificationKind('parent_tsp_activation', object(ofPlan));

export const planNotificationKinds = [planModification, planBegun] as const;

/** Those of students who are not halted. */
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
    const told = await decided(trx, organizationId, events);
    const studentIds = told.map(({ payload }) => payload.studentId);
    const teachersOf = await teachersOfStudents(trx, organizationId, studentIds);
    return new Map(
      told.map(({ id, payload: { studentId, assignmentId, suggestionCode } }) => {
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
    const told = await decided(trx, organizationId, events);
    const studentIds = told.map(({ payload }) => payload.studentId);
    const parentsOf = await parentsOfStudents(trx, organizationId, studentIds);
    return new Map(
      told.map(({ id, payload: { studentId, assignmentId } }) => {
        const to = { recipients: parentsOf(studentId), source: { type: 'bundle_assignment', id: assignmentId } };
        return [id, [notice(planBegun, { studentId, assignmentId }, to)]];
      }),
    );
  },
});

export const planNotices = [suggestions, beginnings];
