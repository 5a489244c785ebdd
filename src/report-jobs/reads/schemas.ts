// A document's job on the wire.
import Type, { type Static } from 'typebox';
import { Cuid, IntegerId, named, nullable, object, oneOf, Timestamp } from '../../http/schemas.ts';
import { reportFailures, reportStates, sharedKindNames } from '../words.ts';

export const ReportStateName = named('ReportState', oneOf(reportStates));

/** What a document is about, by its kind. */
const Target = Type.Union([object({ sessionId: Cuid }), object({ classId: IntegerId }), object({ orgId: Cuid })]);

export const ReportProgress = named(
  'ReportProgress',
  object({ done: Type.Integer({ minimum: 0 }), total: Type.Integer({ minimum: 1 }) }),
);

export const ReportFailureCode = named('ReportFailureCode', oneOf(reportFailures));

export const ReportJobView = named(
  'ReportJob',
  object({
    jobId: Cuid,
    kind: oneOf(sharedKindNames),
    target: Target,
    state: ReportStateName,
    progress: ReportProgress,
    createdAt: Timestamp,
    finishedAt: nullable(Timestamp),
    expiresAt: nullable(Timestamp),
    failureCode: nullable(ReportFailureCode),
    fileUrl: Type.Optional(Type.String()),
  }),
);
export type ReportJobView = Static<typeof ReportJobView>;

export const ReportFileBytes = named(
  'ReportFile',
  Type.Unsafe<Uint8Array>({ type: 'string', contentMediaType: 'application/octet-stream' }),
);

export const jobParams = object({ jobId: Cuid });
