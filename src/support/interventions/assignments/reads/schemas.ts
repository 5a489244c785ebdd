// Schemas of assignments.
import Type from 'typebox';
import {
  CalendarDate,
  Count,
  Cuid,
  IntegerId,
  named,
  nullable,
  object,
  oneOf,
  page,
  pageQuery,
  Timestamp,
} from '#core/http/schemas.ts';
import { assignmentSources, completionResults } from '../../assignment-rows/enums.ts';
import { StepFields } from '../../bundles/schemas.ts';
import {
  assignmentStates,
  deliveryModes,
  goalStates,
  objectTypes,
  scaffoldTiers,
  trackStatuses,
} from '../../engine/vocabulary.ts';
import { InterventionVersions } from '../../profiles/schemas.ts';
import { frozenRecommendation } from '../../recommendations/schemas.ts';

const Share = Type.Number({ minimum: 0, maximum: 1 });

const AssignedStep = named(
  'AssignedStep',
  object({
    ...StepFields,
    deliveredSessions: Count,
    goalState: oneOf(goalStates),
    ...{ scored: Count, correct: Count, rate: nullable(Share) },
  }),
);

const MonitoringView = named(
  'Monitoring',
  object({
    measureCode: oneOf(['ORF_WCPM']),
    everyDays: Type.Integer({ minimum: 1 }),
    nextDueOn: CalendarDate,
    overdue: Type.Boolean(),
  }),
);

export const AssignmentView = named(
  'BundleAssignment',
  object({
    assignmentId: Cuid,
    ...{ studentId: IntegerId, classId: IntegerId },
    bundle_id: Type.String(),
    catalogueVersion: Type.Integer({ minimum: 1 }),
    objectType: oneOf(objectTypes),
    state: oneOf(assignmentStates),
    trackStatus: oneOf(trackStatuses),
    scaffoldTier: oneOf(scaffoldTiers),
    deliveryMode: oneOf(deliveryModes),
    startOn: CalendarDate,
    weeksFrom: CalendarDate,
    endsOn: nullable(CalendarDate),
    plannedWeeks: Type.Integer({ minimum: 1 }),
    sessionsPerWeek: Type.Integer({ minimum: 1 }),
    steps: Type.Array(AssignedStep),
    currentStepNo: nullable(Type.Integer({ minimum: 1 })),
    completionResult: nullable(oneOf(completionResults)),
    endedOn: nullable(CalendarDate),
    reasonCode: nullable(Type.String()),
    pauses: Type.Array(object({ from: CalendarDate, to: nullable(CalendarDate) })),
    extensions: Count,
    offTrackAcknowledgedAt: nullable(Timestamp),
    source: object({
      type: oneOf(assignmentSources),
      clusterKey: nullable(Type.String()),
      generationId: nullable(Type.String()),
    }),
    recommendation: named('FrozenRecommendation', object(frozenRecommendation)),
    overrideCode: nullable(Type.String()),
    ...{ providerUserId: IntegerId, activatedBy: IntegerId, activatedAt: Timestamp },
    monitoring: nullable(MonitoringView),
    ruleVersions: InterventionVersions,
  }),
);

export const AssignmentList = named('BundleAssignmentList', page(AssignmentView));

export const assignmentParams = object({ assignmentId: Cuid });

const state = Type.Optional(oneOf(assignmentStates));

export const StudentAssignmentQuery = object({ ...pageQuery, state });
export const ClassAssignmentQuery = object({
  ...pageQuery,
  state,
  bundle_id: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  trackStatus: Type.Optional(oneOf(trackStatuses)),
});

const Minutes = Type.Integer({ minimum: 0 });

export const WorkloadView = named(
  'ClassWorkload',
  object({
    classId: IntegerId,
    ...{ instructionalMinutesPerWeek: Minutes, plannedMinutesPerWeek: Minutes },
    groups: Type.Array(
      object({
        bundle_id: Type.String(),
        deliveryMode: oneOf(deliveryModes),
        students: Type.Integer({ minimum: 1 }),
        minutesPerWeek: Minutes,
      }),
    ),
    overBy: Minutes,
    asOf: Timestamp,
  }),
);
