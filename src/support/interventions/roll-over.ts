// The plans and deliveries of students that keep a roll-over of their school from being undone, and the way of open plans back.
import type { RollOverGuard } from '#identity/people/index.ts';
import { followEnrollments } from './assignments/change.ts';
import { lockSupport } from './support/lock.ts';

const own = 'organization_id = :organizationId and student_id = any(:studentIds::bigint[])';

export const supportSinceRollOver: RollOverGuard = {
  lock: (trx, { organizationId, studentIds }) => lockSupport(trx, organizationId, studentIds),
  evidence: [`select student_id from bundle_delivery where ${own} and recorded_at >= :since::timestamptz`],
  decisions: [`select student_id from bundle_assignment where ${own} and activated_at >= :since::timestamptz`],
  usesOfClasses: ['bundle_assignment', 'cluster_generation', 'workflow_draft'],
  followBack: followEnrollments,
};
