// What an assignment tells others.
import Type from 'typebox';
import { IntegerId, nullable, object, oneOf } from '../../http/schemas.ts';
import { eventKind, happened, type NewEvent, TextId } from '../../kernel/events.ts';
import type { BundleAssignment } from './store.ts';
import { completionResults, endedStates } from './words.ts';

const BundleWord = Type.String({ minLength: 1, maxLength: 64 });
const ofAssignment = { studentId: IntegerId, assignmentId: TextId, bundle_id: BundleWord };

export const assignmentActivated = eventKind({
  topic: 'assignment.activated',
  summary: 'Work on a bundle has begun: an assignment has become active, at once or on its day.',
  payload: object(ofAssignment),
});

export const assignmentClosed = eventKind({
  topic: 'assignment.closed',
  summary: 'An assignment has ended: completed, stopped, or replaced by another one.',
  payload: object({
    ...ofAssignment,
    state: oneOf(endedStates),
    completionResult: nullable(oneOf(completionResults)),
    reasonCode: nullable(Type.String()),
  }),
});

export const assignmentEvents = [assignmentActivated, assignmentClosed] as const;

const idsOf = ({ studentId, id, bundleId }: BundleAssignment) => ({ studentId, assignmentId: id, bundle_id: bundleId });

/** What there is to tell when a row has become another one; `before` is null for a new one. */
export function eventsBetween(before: BundleAssignment | null, after: BundleAssignment): NewEvent[] {
  const { organizationId, state, completionResult, reasonCode } = after;
  const wasWaiting = before === null || before.state === 'scheduled';
  if (state === 'active' && wasWaiting) return [happened(assignmentActivated, organizationId, idsOf(after))];
  const ended = endedStates.find((one) => one === state);
  if (ended === undefined || before?.state === ended) return [];
  const how = { state: ended, completionResult, reasonCode };
  return [happened(assignmentClosed, organizationId, { ...idsOf(after), ...how })];
}
