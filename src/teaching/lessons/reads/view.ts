// A blueprint session as staff see it, with keys.
import type { Static } from 'typebox';
import type { Trx } from '#core/platform/db.ts';
import { contentOf, type SessionContent } from '../content/content.ts';
import { pdfJobsOf } from '../rows/pdf-jobs.ts';
import { recipientsOf, type SessionRecipient, type SessionRow } from '../rows/store.ts';
import type { SessionView } from './schemas.ts';

type View = Static<typeof SessionView>;

export const sessionView = async (
  { trx, now }: { readonly trx: Trx; readonly now: Date },
  row: SessionRow,
): Promise<View> =>
  presentSession(row, await contentOf(trx, row), await recipientsOf(trx, row), await pdfJobsOf(trx, row, now));

function presentSession(
  row: SessionRow,
  { segments, items }: SessionContent,
  recipients: readonly SessionRecipient[],
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

const presentRecipient = ({ studentId, state, reasonCode, overrideCode }: SessionRecipient) => ({
  ...{ studentId, state, reasonCode, overrideCode },
});
