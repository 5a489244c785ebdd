// Schemas of blueprint sessions as staff see them. Which reasons and roles there are say rule documents.
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
import { paperVariants, recipientStates, sessionActions, sessionStates } from '../enums.ts';

const Word = Type.String({ minLength: 1, maxLength: 64 });
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
    reasonCode: nullable(Word),
    overrideCode: nullable(Word),
  }),
);

export const SessionView = named(
  'TeachingSession',
  object({
    sessionId: Cuid,
    classId: IntegerId,
    blueprintId: Cuid,
    blueprintVersion: Count,
    bundle_id: Word,
    stepNo: Count,
    sessionRole: Word,
    deliveryMode: oneOf(deliveryModes),
    scaffoldTier: nullable(oneOf(scaffoldTiers)),
    state: oneOf(sessionStates),
    scheduledOn: nullable(CalendarDate),
    recipients: Type.Array(SessionRecipientView),
    segments: Type.Array(BlueprintSegment),
    items: Type.Array(BlueprintItem),
    pdfJobs: Type.Array(SessionPdfJob),
    distributedAt: nullable(Timestamp),
    deliveredOn: nullable(CalendarDate),
    cancelReasonCode: nullable(Word),
    createdBy: IntegerId,
    createdAt: Timestamp,
  }),
);

export const AuditQuery = object(pageQuery);
export const SessionAuditList = page(
  named(
    'SessionAuditEntry',
    object({
      at: Timestamp,
      actorUserId: nullable(IntegerId),
      action: oneOf(sessionActions),
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
      bundle_id: Word,
      stepNo: Count,
      sessionRole: Word,
      deliveryMode: oneOf(deliveryModes),
      scaffoldTier: oneOf(scaffoldTiers),
      anchor_skill_group: nullable(Word),
      recipientStudentIds: Type.Array(IntegerId),
      reasonCode: oneOf(['current_step']),
    }),
  ),
);

export const recipientParams = object({ id: Cuid, studentId: IntegerIdText });
