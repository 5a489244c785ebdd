// The single writer of changes to assignments; it appends the events that follow from a change.
import { appendEvents, type NewEvent } from '#core/module/events.ts';
import type { Trx } from '#core/platform/db.ts';
import { BundleAssignment } from '../assignment-rows/store.ts';
import { eventsBetween } from './events.ts';

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
    | 'offTrackAcknowledgedAt'
    | 'moveOverrideCode'
    | 'providerUserId'
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
