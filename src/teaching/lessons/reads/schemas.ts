// Schemas of lessons for staff. The rule documents define the allowed reason codes and roles.
import Type from 'typebox';
import {
  CalendarDate,
  Cuid,
  IntegerId,
  IntegerIdText,
  named,
  nullable,
  object,
  oneOf,
  page,
  pageQuery,
  Timestamp,
} from '#core/http/schemas.ts';
import { ReportStateName } from '#messaging/documents/index.ts';
import { deliveryModes, scaffoldTiers } from '#support/interventions/index.ts';
import { BlueprintItem, BlueprintSegment } from '../../lesson-blueprints/index.ts';
import { lessonActions, lessonStates, paperVariants, recipientStates } from '../enums.ts';

const RuleCode = Type.String({ minLength: 1, maxLength: 64 });
const Count = Type.Integer({ minimum: 1 });

const SessionPdfJob = named(
  'SessionPdfJob',
  object({ jobId: Cuid, variants: Type.Array(oneOf(paperVariants)), state: ReportStateName }),
);

const SessionRecipientView = named(
  'SessionRecipient',
  object({
    studentId: IntegerId,
    state: oneOf(recipientStates),
    reasonCode: nullable(RuleCode),
    overrideCode: nullable(RuleCode),
  }),
);

export const LessonView = named(
  'TeachingSession',
  object({
    sessionId: Cuid,
    classId: IntegerId,
    blueprintId: Cuid,
    blueprintVersion: Count,
    bundle_id: RuleCode,
    stepNo: Count,
    sessionRole: RuleCode,
    deliveryMode: oneOf(deliveryModes),
    scaffoldTier: nullable(oneOf(scaffoldTiers)),
    state: oneOf(lessonStates),
    scheduledOn: nullable(CalendarDate),
    recipients: Type.Array(SessionRecipientView),
    segments: Type.Array(BlueprintSegment),
    items: Type.Array(BlueprintItem),
    pdfJobs: Type.Array(SessionPdfJob),
    distributedAt: nullable(Timestamp),
    deliveredOn: nullable(CalendarDate),
    cancelReasonCode: nullable(RuleCode),
    createdBy: IntegerId,
    createdAt: Timestamp,
  }),
);

export const LessonAuditQuery = object(pageQuery);
export const LessonAuditList = page(
  named(
    'SessionAuditEntry',
    object({
      at: Timestamp,
      actorUserId: nullable(IntegerId),
      action: oneOf(lessonActions),
      changedFields: Type.Array(Type.String()),
    }),
  ),
);

export const RecommendedQuery = object({ classId: IntegerId, ...pageQuery });
export const RecommendedList = page(
  named(
    'RecommendedSession',
    object({
      blueprintId: Cuid,
      bundle_id: RuleCode,
      stepNo: Count,
      sessionRole: RuleCode,
      deliveryMode: oneOf(deliveryModes),
      scaffoldTier: oneOf(scaffoldTiers),
      anchor_skill_group: nullable(RuleCode),
      recipientStudentIds: Type.Array(IntegerId),
      reasonCode: oneOf(['current_step']),
    }),
  ),
);

export const recipientParams = object({ id: Cuid, studentId: IntegerIdText });
