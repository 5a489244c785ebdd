// The requested documents of a lesson.
import type { Trx } from '#core/platform/db.ts';
import { type KnownReport, type ReportJob, reportStateAt, reportsWithFiles } from '#messaging/documents/index.ts';
import type { PaperVariant } from '../enums.ts';
import type { LessonRow } from './store.ts';

export const lessonPdfKind = 'session_pdf';

export interface PaperOrder {
  readonly variants: readonly PaperVariant[];
}

export const orderOf = ({ input }: ReportJob): PaperOrder => input as PaperOrder;

/** Returns the jobs of a lesson, oldest first. */
export async function pdfJobsOf(trx: Trx, { organizationId, id: subject }: LessonRow, now: Date) {
  const query = reportsWithFiles(trx).where({ organizationId, kind: lessonPdfKind, subject });
  const jobs = (await query.orderBy(['createdAt', 'id'])) as KnownReport[];
  return jobs.map((job) => ({ jobId: job.id, variants: [...orderOf(job).variants], state: reportStateAt(job, now) }));
}
