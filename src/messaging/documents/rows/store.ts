// The rows of report jobs and of their files.
import type { Trx } from '#core/platform/db.ts';
import { Row } from '#core/platform/model.ts';
import type { ReportFailure, ReportState } from '../enums.ts';

export type ReportCounts = Readonly<Record<string, number>>;

export class ReportJob extends Row {
  static override tableName = 'report_job';
  static override idColumn = ['organizationId', 'id'];
  static override jsonAttributes = ['input', 'counts'];
  declare organizationId: string;
  declare id: string;
  /** As it stands on the wire. */
  declare kind: string;
  /** The id of what the document is about. */
  declare subject: string;
  /** What its kind needs beside the subject. */
  declare input: unknown;
  /** The same for the same document. */
  declare contentKey: string;
  declare requestedBy: number;
  declare state: ReportState;
  declare done: number;
  declare total: number;
  /** Null until its facts are read, and for kinds that count nothing. */
  declare counts: ReportCounts | null;
  /** How often it was begun. */
  declare attempts: number;
  /** When it was begun last, by the database's clock: whoever was served longest ago comes next. */
  declare begunAt: string | null;
  /** It waits for its next attempt. */
  declare isPaused: boolean;
  /** Grows with each holder. */
  declare token: number;
  declare failureCode: ReportFailure | null;
  declare createdAt: string;
  declare finishedAt: string | null;
  /** When the file goes. */
  declare expiresAt: string | null;
  /** When the job goes. */
  declare keptUntil: string;
}

/** A job, and whether its file is there: it goes with its time, or with somebody whom it names. */
export type KnownReport = ReportJob & { readonly hasFile: boolean };

export const reportsWithFiles = (trx: Trx) =>
  ReportJob.query(trx).select(
    'report_job.*',
    trx.raw(`exists (select from report_file f where f.organization_id = report_job.organization_id
      and f.job_id = report_job.id) as has_file`),
  );

/** A file that has had its time counts as gone before the purge has come. */
export function stateAt({ state, expiresAt, hasFile }: KnownReport, now: Date): ReportState {
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
  trx('report_file').where({ organizationId, jobId: id }).first('bytes', 'contentType', 'fileName');
