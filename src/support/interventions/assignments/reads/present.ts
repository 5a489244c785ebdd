// The response of one assignment, the same for all routes.
import type { Static } from 'typebox';
import type { BundleAssignment } from '../../assignment-rows/store.ts';
import type { Monitoring } from '../../engine/assignments/dosage.ts';
import type { StepState } from '../../engine/assignments/steps.ts';
import type { AssignmentView } from './schemas.ts';

type View = Static<typeof AssignmentView>;

/** Fields that follow from readings, rules and the calendar. */
export interface Derived {
  readonly monitoring: Monitoring | null;
  /** Local date. */
  readonly endsOn: string | null;
}

export const presentAssignment = (row: BundleAssignment, { monitoring, endsOn }: Derived): View => ({
  assignmentId: row.id,
  ...{ studentId: row.studentId, classId: row.classId },
  bundle_id: row.bundleId,
  ...{ catalogueVersion: row.catalogueVersion, objectType: row.objectType },
  ...{ state: row.state, trackStatus: row.trackStatus },
  ...{ scaffoldTier: row.scaffoldTier, deliveryMode: row.deliveryMode },
  ...{ startOn: row.startOn, weeksFrom: row.weeksFrom ?? row.startOn, endsOn },
  ...{ plannedWeeks: row.plannedWeeks, sessionsPerWeek: row.sessionsPerWeek },
  steps: row.steps.map(presentStep),
  ...{ currentStepNo: row.currentStepNo, completionResult: row.completionResult },
  ...{ endedOn: row.endedOn, reasonCode: row.reasonCode },
  pauses: row.pauses.map(({ from, to }) => ({ from, to })),
  ...{ extensions: row.extensions, offTrackAcknowledgedAt: row.offTrackAcknowledgedAt },
  source: { type: row.sourceType, clusterKey: row.clusterKey, generationId: row.generationId },
  // Validated when it was stored.
  recommendation: { ...row.recommendation } as View['recommendation'],
  overrideCode: row.overrideCode,
  ...{ providerUserId: row.providerUserId, activatedBy: row.activatedBy, activatedAt: row.activatedAt },
  monitoring,
  ruleVersions: { ...row.ruleVersions },
});

const presentStep = (step: StepState): View['steps'][number] => ({
  ...{ stepNo: step.stepNo, sessionRole: step.sessionRole, plannedSessions: step.plannedSessions },
  deliveredSessions: step.deliveredSessions,
  goal: step.goal && { minScored: step.goal.minScored, minRate: step.goal.minRate },
  ...{ goalState: step.goalState, scored: step.scored, correct: step.correct, rate: step.rate },
});
