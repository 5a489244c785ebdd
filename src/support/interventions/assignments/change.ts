// The one door through which a row of an assignment changes: with it goes what there is to tell.
import { appendEvents, type NewEvent } from '#core/module/events.ts';
import type { Trx } from '#core/platform/db.ts';
import { BundleAssignment } from '../plans/store.ts';
import { eventsBetween } from './events.ts';

/** Columns that a life may change; the database refuses all others. */
export type Change = Partial<
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

/** The student's support is locked. `told` comes before what the row itself tells. Answers the row as it is now. */
export async function changeAssignment(
  trx: Trx,
  row: BundleAssignment,
  change: Change,
  now: Date,
  told: readonly NewEvent[] = [],
): Promise<BundleAssignment> {
  if (Object.keys(change).length === 0) return row;
  const { organizationId, id } = row;
  await BundleAssignment.query(trx).where({ organizationId, id }).patch(change);
  const after = Object.assign(new BundleAssignment(), row, change);
  await appendEvents(trx, now, [...told, ...eventsBetween(row, after)]);
  return after;
}
