// A document's job on the wire.
import Type, { type Static } from 'typebox';
import { Cuid, named, nullable, object, oneOf, Timestamp } from '../../http/schemas.ts';
import { reportFailures, reportKindNames, reportStates } from '../words.ts';

export const ReportStateName = named('ReportState', oneOf(reportStates));

export const ReportJobView = named(
  'ReportJob',
  object({
    jobId: Cuid,
    kind: oneOf(reportKindNames),
    target: object({ sessionId: Cuid }),
    state: ReportStateName,
    progress: object({ done: Type.Integer({ minimum: 0 }), total: Type.Integer({ minimum: 1 }) }),
    createdAt: Timestamp,
    finishedAt: nullable(Timestamp),
    expiresAt: nullable(Timestamp),
    failureCode: nullable(oneOf(reportFailures)),
    fileUrl: Type.Optional(Type.String()),
  }),
);
export type ReportJobView = Static<typeof ReportJobView>;

export const ReportFileBytes = named(
  'ReportFile',
  Type.Unsafe<Uint8Array>({ type: 'string', contentMediaType: 'application/octet-stream' }),
);

export const jobParams = object({ jobId: Cuid });
