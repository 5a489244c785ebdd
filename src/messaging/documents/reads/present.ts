// A job as those see it who may ask for the document.
import type { Services } from '#core/module/services.ts';
import { type KnownReport, stateAt } from '../rows/store.ts';
import { kindOf } from '../services.ts';
import type { ReportJobView } from './schemas.ts';

/** Where the file of a job is read. */
export const fileUrlOf = (jobId: string): string => `/api/report-jobs/${jobId}/file`;

/** Of a kind that is read at the address of all jobs. */
export function presentReport(services: Pick<Services, 'capabilities'>, job: KnownReport, now: Date): ReportJobView {
  const state = stateAt(job, now);
  const { id: jobId, kind, subject, done, total, createdAt, finishedAt, expiresAt, failureCode } = job;
  const target = kindOf(services, kind).target?.of(subject) ?? {};
  return {
    ...{ jobId, kind, target, state, progress: { done, total } },
    ...{ createdAt, finishedAt, expiresAt, failureCode, ...(state === 'done' && { fileUrl: fileUrlOf(jobId) }) },
  };
}
