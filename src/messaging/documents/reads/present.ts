// Presents a job to callers who may request its document.
import type { Services } from '#core/module/services.ts';
import { type KnownReport, reportStateAt } from '../rows/store.ts';
import { reportKindOf } from '../services.ts';
import type { ReportJobView } from './schemas.ts';

/** Returns the address of the file of a job. */
export const fileUrlOf = (jobId: string): string => `/api/report-jobs/${jobId}/file`;

/** Presents a job of a kind that is read at `/api/report-jobs`. */
export function presentReport(services: Pick<Services, 'capabilities'>, job: KnownReport, now: Date): ReportJobView {
  const state = reportStateAt(job, now);
  const { id: jobId, kind, subject, done, total, createdAt, finishedAt, expiresAt, failureCode } = job;
  const target = reportKindOf(services, kind).target?.of(subject) ?? {};
  return {
    ...{ jobId, kind, target, state, progress: { done, total } },
    ...{ createdAt, finishedAt, expiresAt, failureCode, ...(state === 'done' && { fileUrl: fileUrlOf(jobId) }) },
  };
}
