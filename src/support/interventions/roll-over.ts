// The plans and deliveries of students that keep a roll-over of their school from being undone, and the way of open plans back.
import { raw } from 'objection';
import type { RollOverGuard } from '#identity/people/index.ts';
import { BundleAssignment } from './assignment-rows/store.ts';
import { openStates } from './engine/vocabulary.ts';
import { lockSupport } from './support/lock.ts';

const own = 'organization_id = :organizationId and student_id = any(:studentIds::bigint[])';

export const supportSinceRollOver: RollOverGuard = {
  lock: (trx, { organizationId, studentIds }) => lockSupport(trx, organizationId, studentIds),
  evidence: [`select student_id from bundle_delivery where ${own} and recorded_at >= :since::timestamptz`],
  decisions: [`select student_id from bundle_assignment where ${own} and activated_at >= :since::timestamptz`],
  usesOfClasses: ['bundle_assignment', 'cluster_generation', 'workflow_draft'],
  /** As AS-10 for a move to another class, in one statement. */
  async followBack(trx, { organizationId, studentIds }) {
    const present = `(select e.class_id from enrollment e where e.organization_id = bundle_assignment.organization_id
      and e.student_id = bundle_assignment.student_id and e.enrolled_to is null)`;
    await BundleAssignment.query(trx)
      .where({ organizationId })
      .whereRaw('student_id = any(?::bigint[])', [[...studentIds]])
      .whereIn('state', [...openStates])
      .whereRaw(`class_id <> ${present}`)
      .patch({ classId: raw(present) as unknown as number });
  },
};
