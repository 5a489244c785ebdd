// Which plans a delivered session belongs to.
import type { Trx } from '#core/platform/db.ts';
import { momentAt, openWithPlaces, type Placed } from '../assignments/follow.ts';
import type { Moment } from '../assignments/track.ts';
import { BundleAssignment } from '../plans/store.ts';
import { type DeliveredSession, includedIn } from './session.ts';

export interface OpenPlan extends Placed {
  readonly moment: Moment;
}

/** A paused plan gets no session, an ended one neither. */
const takesSessions = ['scheduled', 'active'] as const;

type Told = Pick<DeliveredSession, 'organizationId' | 'bundle_id' | 'present' | 'absent'>;

/** Before they are locked: a plan that is given meanwhile had no part in the session. */
export const studentsWithPlans = (trx: Trx, session: Told): Promise<number[]> =>
  BundleAssignment.query(trx)
    .where({ organizationId: session.organizationId, bundleId: session.bundle_id })
    .whereIn('studentId', includedIn(session))
    .whereIn('state', [...takesSessions])
    .orderBy('studentId')
    .select('studentId')
    .then((rows) => rows.map(({ studentId }) => studentId));

/** As they are under the lock, by student; one whose first day has come counts as begun. */
export async function openPlans(
  trx: Trx,
  { organizationId, bundle_id, deliveredOn, now }: DeliveredSession,
  studentIds: readonly number[],
): Promise<OpenPlan[]> {
  const open = await openWithPlaces(trx, { organizationId, studentIds, now });
  return open
    .filter(({ row, place }) => row.bundleId === bundle_id && place.classId !== null && row.startOn <= deliveredOn)
    .map((placed) => ({ ...placed, moment: momentAt(placed.place, now) }))
    .filter(({ row, moment }) => takesSessions.some((state) => state === row.state) && row.startOn <= moment.today);
}
