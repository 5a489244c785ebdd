// A job as its asker sees it.
import { type KnownReport, stateAt } from '../rows/store.ts';
import type { ReportJobView } from './schemas.ts';

/** Where the file of a job is read. */
export const fileUrlOf = (jobId: string): string => `/api/report-jobs/${jobId}/file`;

export function presentReport(job: KnownReport, now: Date): ReportJobView {
  const state = stateAt(job, now);
  const { id: jobId, kind, subject, done, total, createdAt, finishedAt, expiresAt, failureCode } = job;
  return {
    ...{ jobId, kind, target: { sessionId: subject }, state, progress: { done, total } },
    ...{ createdAt, finishedAt, expiresAt, failureCode, ...(state === 'done' && { fileUrl: fileUrlOf(jobId) }) },
  };
}
