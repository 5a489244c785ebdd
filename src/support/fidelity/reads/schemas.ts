// Schemas of fidelity.
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
import { assignmentStates, fidelityGates, supportTiers, trackStatuses } from '../../interventions/index.ts';

const Share = Type.Number({ minimum: 0, maximum: 1 });
/** Minutes of the delivered sessions; null when none of them has minutes. */
const Minutes = nullable(Type.Number({ minimum: 0 }));
const BundleWord = Type.String({ minLength: 1, maxLength: 64 });

const Credit = { planned: Count, credited: Count, rate: nullable(Share) };
const Attendance = {
  delivered: Count,
  offered: Type.Integer({ minimum: 0, description: 'Sessions that were given for the student, there or not.' }),
  absent: Count,
};

const checked = {
  bundleAssignmentId: Cuid,
  studentId: IntegerId,
  ...Credit,
  ...Attendance,
  threshold: Share,
  gate: oneOf(fidelityGates),
  trackStatus: oneOf(trackStatuses),
  completeWeeks: Count,
  asOf: CalendarDate,
  ruleVersion: Type.String(),
};

export const FidelityCheck = named('FidelityCheck', object(checked));

const FidelityWeek = named(
  'FidelityWeek',
  object({
    weekStart: CalendarDate,
    planned: Count,
    delivered: Count,
    credited: Type.Integer({ minimum: 0, description: 'Before the limit of the whole plan.' }),
    paused: Type.Boolean(),
  }),
);

export const FidelityRecord = named(
  'FidelityRecord',
  object({ ...checked, snapshotId: IntegerId, computedAt: Timestamp, weeks: Type.Array(FidelityWeek) }),
);

export const FidelityTracker = named(
  'FidelityTracker',
  object({
    studentId: IntegerId,
    tier: Type.Enum([...supportTiers]),
    tierSince: nullable(CalendarDate),
    pooled: object({ ...Credit, gate: oneOf(fidelityGates) }),
    assignments: Type.Array(
      object({
        assignmentId: Cuid,
        bundle_id: BundleWord,
        state: oneOf(assignmentStates),
        trackStatus: oneOf(trackStatuses),
        ...Credit,
        ...Attendance,
        gate: oneOf(fidelityGates),
        lastDeliveredOn: nullable(CalendarDate),
        weeksWithoutDelivery: Count,
        plannedMinutes: Minutes,
        taughtMinutes: Minutes,
      }),
    ),
  }),
);

export const LowFidelityCohort = named(
  'LowFidelityCohort',
  page(
    object({
      ...{ studentId: IntegerId, classId: IntegerId, schoolId: Cuid, assignmentId: Cuid },
      bundle_id: BundleWord,
      completeWeeks: Count,
      ...{ planned: Count, credited: Count, rate: Share },
    }),
  ),
);

export const fidelityParams = object({ bundleAssignmentId: Cuid });

export const CohortQuery = object({
  ...pageQuery,
  organizationId: Type.Optional(Cuid),
  schoolId: Type.Optional(Cuid),
  minWeeks: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 20, description: 'Default: that of the rules in force (FID-WKS-01).' }),
  ),
});
