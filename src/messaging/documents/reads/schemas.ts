// Response schemas of document jobs.
import Type, { type Static, type TSchema } from 'typebox';
import { Count, Cuid, named, nullable, object, oneOf, Timestamp } from '#core/http/schemas.ts';
import { reportFailures, reportStates } from '../enums.ts';

export const ReportStateName = named('ReportState', oneOf(reportStates));

export const ReportProgress = named('ReportProgress', object({ done: Count, total: Type.Integer({ minimum: 1 }) }));

export const ReportFailureCode = named('ReportFailureCode', oneOf(reportFailures));

/** `kinds` are the kinds that are read at `/api/report-jobs`. */
export const reportJobView = (
  kinds: readonly { readonly kind: string; readonly target: { readonly schema: TSchema } }[],
) =>
  named(
    'ReportJob',
    object({
      jobId: Cuid,
      kind: oneOf(kinds.map(({ kind }) => kind)),
      target: Type.Unsafe<object>(Type.Union(kinds.map(({ target }) => target.schema))),
      state: ReportStateName,
      progress: ReportProgress,
      createdAt: Timestamp,
      finishedAt: nullable(Timestamp),
      expiresAt: nullable(Timestamp),
      failureCode: nullable(ReportFailureCode),
      fileUrl: Type.Optional(Type.String()),
    }),
  );
export type ReportJobView = Static<ReturnType<typeof reportJobView>>;

export const ReportFileBytes = named(
  'ReportFile',
  Type.Unsafe<Uint8Array>({ type: 'string', contentMediaType: 'application/octet-stream' }),
);

export const jobParams = object({ jobId: Cuid });
