// Documents that were asked for of a session.
import type { Trx } from '#core/platform/db.ts';
import { type KnownReport, type ReportJob, reportsWithFiles, stateAt } from '#messaging/documents/index.ts';
import type { PaperVariant } from '../enums.ts';
import type { SessionRow } from './store.ts';

export const sessionPdfKind = 'session_pdf';

export interface PaperOrder {
  readonly variants: readonly PaperVariant[];
}

export const orderOf = ({ input }: ReportJob): PaperOrder => input as PaperOrder;

/** Oldest first. */
export async function pdfJobsOf(trx: Trx, { organizationId, id: subject }: SessionRow, now: Date) {
  const query = reportsWithFiles(trx).where({ organizationId, kind: sessionPdfKind, subject });
  const jobs = (await query.orderBy(['createdAt', 'id'])) as KnownReport[];
  return jobs.map((job) => ({ jobId: job.id, variants: [...orderOf(job).variants], state: stateAt(job, now) }));
}
