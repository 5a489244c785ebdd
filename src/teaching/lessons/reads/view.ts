// A lesson as a response for staff, with keys.
import type { Static } from 'typebox';
import type { Trx } from '#core/platform/db.ts';
import { type LessonContent, lessonContentOf } from '../content/content.ts';
import { pdfJobsOf } from '../rows/pdf-jobs.ts';
import { type LessonRecipient, type LessonRow, recipientsOf } from '../rows/store.ts';
import type { LessonView } from './schemas.ts';

type View = Static<typeof LessonView>;

export const lessonView = async (
  { trx, now }: { readonly trx: Trx; readonly now: Date },
  row: LessonRow,
): Promise<View> =>
  presentLesson(row, await lessonContentOf(trx, row), await recipientsOf(trx, row), await pdfJobsOf(trx, row, now));

function presentLesson(
  row: LessonRow,
  { segments, items }: LessonContent,
  recipients: readonly LessonRecipient[],
  pdfJobs: View['pdfJobs'],
): View {
  return {
    sessionId: row.id,
    classId: row.classId,
    blueprintId: row.blueprintId,
    blueprintVersion: row.blueprintVersion,
    bundle_id: row.bundleId,
    stepNo: row.stepNo,
    sessionRole: row.sessionRole,
    deliveryMode: row.deliveryMode,
    scaffoldTier: row.scaffoldTier,
    state: row.state,
    scheduledOn: row.scheduledOn,
    recipients: recipients.map(presentRecipient),
    segments: [...segments],
    items: [...items],
    pdfJobs,
    distributedAt: row.distributedAt,
    deliveredOn: row.deliveredOn,
    cancelReasonCode: row.cancelReasonCode,
    createdBy: row.createdBy,
    createdAt: row.createdAt,
  };
}

const presentRecipient = ({ studentId, state, reasonCode, overrideCode }: LessonRecipient) => ({
  studentId,
  state,
  reasonCode,
  overrideCode,
});
