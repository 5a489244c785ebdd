// The single writer of changes to assignments; it appends the events that follow from a change.
import { raw } from 'objection';
import { appendEvents, type NewEvent } from '#core/module/events.ts';
import type { Trx } from '#core/platform/db.ts';
import { BundleAssignment } from '../assignment-rows/store.ts';
import { openStates } from '../engine/vocabulary.ts';
import { eventsBetween } from './events.ts';
import { isLeftBehind } from './left-behind.ts';

/** Columns that may change; the database refuses all others. */
export type AssignmentChange = Partial<
  Pick<
    BundleAssignment,
    | 'classId'
    | 'state'
    | 'trackStatus'
    | 'scaffoldTier'
    | 'plannedWeeks'
    | 'steps'
    | 'currentStepNo'
    | 'completionResult'
    | 'endedOn'
    | 'reasonCode'
    | 'pauses'
    | 'extensions'
    | 'pastEndSince'
    | 'overdueToldFor'
    | 'offTrackAcknowledgedAt'
    | 'moveOverrideCode'
    | 'providerUserId'
    | 'awaitsProvider'
  >
>;

/**
 * The caller holds the lock of the student's support. `events` precede those of the row. Returns the row after
 * the change.
 */
export async function changeAssignment(
  trx: Trx,
  row: BundleAssignment,
  change: AssignmentChange,
  now: Date,
  events: readonly NewEvent[] = [],
): Promise<BundleAssignment> {
  if (Object.keys(change).length === 0) return row;
  const { organizationId, id } = row;
  await BundleAssignment.query(trx).where({ organizationId, id }).patch(change);
  const after = Object.assign(new BundleAssignment(), row, change);
  await appendEvents(trx, now, [...events, ...eventsBetween(row, after)]);
  return after;
}

/** Moves open assignments to the present classes of their students, as AS-10 does for one, in one statement. */
export async function followEnrollments(
  trx: Trx,
  { organizationId, studentIds }: { readonly organizationId: string; readonly studentIds: readonly number[] },
): Promise<void> {
  const present = `(select e.class_id from enrollment e where e.organization_id = bundle_assignment.organization_id
    and e.student_id = bundle_assignment.student_id and e.enrolled_to is null)`;
  await BundleAssignment.query(trx)
    .where({ organizationId })
    .whereRaw('student_id = any(?::bigint[])', [[...studentIds]])
    .whereIn('state', [...openStates])
    .whereRaw(`class_id <> ${present}`)
    .patch({
      classId: raw(present) as unknown as number,
      awaitsProvider: raw(`awaits_provider or ${isLeftBehind('bundle_assignment', present)}`) as unknown as boolean,
    });
}
