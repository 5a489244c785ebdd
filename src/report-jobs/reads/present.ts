// A job as its asker sees it.
import { type KnownReport, stateAt } from '../rows/store.ts';
import type { SharedKindName } from '../words.ts';
import type { ReportJobView } from './schemas.ts';

/** Where the file of a job is read. */
export const fileUrlOf = (jobId: string): string => `/api/report-jobs/${jobId}/file`;

/** Ids of classes are integers, those of the others are not. */
const targetOf: Readonly<Record<SharedKindName, (subject: string) => ReportJobView['target']>> = {
  session_pdf: (sessionId) => ({ sessionId }),
  class_report: (classId) => ({ classId: Number(classId) }),
  board_report: (orgId) => ({ orgId }),
};

/** Of a kind that is read at the address of all jobs. */
export function presentReport(job: KnownReport, now: Date): ReportJobView {
  const state = stateAt(job, now);
  const kind = job.kind as SharedKindName;
  const { id: jobId, subject, done, total, createdAt, finishedAt, expiresAt, failureCode } = job;
  return {
    ...{ jobId, kind, target: targetOf[kind](subject), state, progress: { done, total } },
    ...{ createdAt, finishedAt, expiresAt, failureCode, ...(state === 'done' && { fileUrl: fileUrlOf(jobId) }) },
  };
}
