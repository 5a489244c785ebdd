// Finds the assignments that a delivered session belongs to.
import type { Trx } from '#core/platform/db.ts';
import { BundleAssignment } from '../assignment-rows/store.ts';
import { type EnrolledAssignment, openAssignmentsOf } from '../assignments/follow.ts';
import { type AssignmentMoment, momentAt } from '../assignments/track.ts';
import { type DeliveredSession, includedIn } from './session.ts';

export interface SessionAssignment extends EnrolledAssignment {
  readonly moment: AssignmentMoment;
}

/** Paused and ended assignments take no session. */
const takesSessions = ['scheduled', 'active'] as const;

type SessionKey = Pick<DeliveredSession, 'organizationId' | 'bundle_id' | 'present' | 'absent'>;

/** Called before the lock: an assignment that is created meanwhile had no part in the session. */
export const studentsWithAssignments = (trx: Trx, session: SessionKey): Promise<number[]> =>
  BundleAssignment.query(trx)
    .where({ organizationId: session.organizationId, bundleId: session.bundle_id })
    .whereIn('studentId', includedIn(session))
    .whereIn('state', [...takesSessions])
    .orderBy('studentId')
    .select('studentId')
    .then((rows) => rows.map(({ studentId }) => studentId));

/** The assignments under the lock, by student; one whose first day has come counts as started. */
export async function sessionAssignments(
  trx: Trx,
  { organizationId, bundle_id, deliveredOn, now }: DeliveredSession,
  studentIds: readonly number[],
): Promise<SessionAssignment[]> {
  const open = await openAssignmentsOf(trx, { organizationId, studentIds, now });
  return open
    .filter(
      ({ row, enrollment }) => row.bundleId === bundle_id && enrollment.classId !== null && row.startOn <= deliveredOn,
    )
    .map((enrolled) => ({ ...enrolled, moment: momentAt(enrolled.enrollment, now) }))
    .filter(({ row, moment }) => takesSessions.some((state) => state === row.state) && row.startOn <= moment.today);
}
