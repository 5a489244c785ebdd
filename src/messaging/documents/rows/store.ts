// The rows of report jobs and of their files.
import type { Trx } from '#core/platform/db.ts';
import { modelOf, Row } from '#core/platform/model.ts';
import type { ReportFailure, ReportState } from '../enums.ts';

export type ReportCounts = Readonly<Record<string, number>>;

export class ReportJob extends Row {
  static override tableName = 'report_job';
  static override idColumn = ['organizationId', 'id'];
  static override jsonAttributes = ['input', 'counts'];
  declare organizationId: string;
  declare id: string;
  /** The kind as the API names it. */
  declare kind: string;
  /** The id of the subject of the document. */
  declare subject: string;
  /** Further parameters of the kind. */
  declare input: unknown;
  /** Identifies the document: equal keys mean the same document. */
  declare contentKey: string;
  declare requestedBy: number;
  declare state: ReportState;
  declare done: number;
  declare total: number;
  /** Null until the facts are read, and for kinds without a count. */
  declare counts: ReportCounts | null;
  /** The number of attempts that have begun. */
  declare attempts: number;
  /** When the last attempt began, by the database's clock. The person who was served longest ago comes next. */
  declare begunAt: string | null;
  /** Whether the job waits for its next attempt. */
  declare isPaused: boolean;
  /** Grows with each holder. */
  declare token: number;
  declare failureCode: ReportFailure | null;
  declare createdAt: string;
  declare finishedAt: string | null;
  /** When the file is removed. */
  declare expiresAt: string | null;
  /** When the job is removed. */
  declare keptUntil: string;
}

/** A job, and whether its file exists: a file is removed when it expires, or with a person whom it names. */
interface ReportFileRow {
  readonly organizationId: string;
  readonly jobId: string;
  readonly bytes: Buffer;
  readonly contentType: string;
  readonly fileName: string;
  readonly expiresAt: string;
}

export const StoredReportFile = modelOf<ReportFileRow>('report_file', { id: ['organizationId', 'jobId'] });

/** A student whom a file names. */
export const ReportFileStudent = modelOf<
  Pick<ReportFileRow, 'organizationId' | 'jobId'> & { readonly studentId: number }
>('report_file_student', { id: ['organizationId', 'jobId', 'studentId'] });

export type KnownReport = ReportJob & { readonly hasFile: boolean };

export const reportsWithFiles = (trx: Trx) =>
  ReportJob.query(trx).select(
    'report_job.*',
    trx.raw(`exists (select from report_file f where f.organization_id = report_job.organization_id
      and f.job_id = report_job.id) as has_file`),
  );

/** An expired file counts as removed before the purge runs. */
export function reportStateAt({ state, expiresAt, hasFile }: KnownReport, now: Date): ReportState {
  if (state !== 'done') return state;
  return hasFile && expiresAt !== null && new Date(expiresAt) > now ? 'done' : 'expired';
}

export interface ReportFile {
  readonly bytes: Buffer;
  readonly contentType: string;
  readonly fileName: string;
}

export const findReportFile = (
  trx: Trx,
  { organizationId, id }: Pick<ReportJob, 'organizationId' | 'id'>,
): Promise<ReportFile | undefined> =>
  StoredReportFile.query(trx)
    .where({ organizationId, jobId: id })
    .select('bytes', 'contentType', 'fileName')
    .first()
    .execute();
