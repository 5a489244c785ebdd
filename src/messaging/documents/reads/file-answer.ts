// The response with the file of a job, equal at every address where files are read.
import { ok } from '#core/http/answers.ts';
import type { Trx } from '#core/platform/db.ts';
import { conflict, notFound } from '#core/platform/errors.ts';
import { findReportFile, type KnownReport, reportStateAt } from '../rows/store.ts';
import type { ReportKind } from '../services.ts';

/** Throws CONFLICT before the file exists and if the job failed, and NOT_FOUND after the file was removed. */
export async function reportFileAnswer(
  trx: Trx,
  job: KnownReport,
  { discloses: document }: Pick<ReportKind, 'discloses'>,
  now: Date,
) {
  const state = reportStateAt(job, now);
  if (state === 'failed') throw conflict('failed', 'This document could not be rendered.');
  if (state === 'queued' || state === 'running') throw conflict('not_ready', 'This document is not rendered yet.');
  const file = state === 'done' ? await findReportFile(trx, job) : undefined;
  if (!file) throw notFound();
  const headers = {
    'content-type': file.contentType,
    'content-disposition': `attachment; filename="${file.fileName}"`,
    'cache-control': 'private, no-store',
  };
  const { subject: id, organizationId } = job;
  return { ...ok(file.bytes), headers, discloses: document === null ? [] : [{ document, id, organizationId }] };
}
