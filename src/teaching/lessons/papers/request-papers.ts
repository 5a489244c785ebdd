// Requests for papers. A request with the same lesson and variants returns the existing job.
import type { Static } from 'typebox';
import { canonicalJson } from '#core/platform/pure/canonical-json.ts';
import { reportStateAt, requestReport } from '#messaging/documents/index.ts';
import type { LessonCallOf } from '../changes/call.ts';
import { paperVariants } from '../enums.ts';
import { appendLessonAct } from '../rows/change.ts';
import type { PaperOrder } from '../rows/pdf-jobs.ts';
import { lockLesson } from '../rows/store.ts';
import { requireAcceptedCall } from '../rows/transitions.ts';
import { lessonPdf } from './kind.ts';
import { readPaper } from './read-paper.ts';
import type { PapersBody, PapersRequested } from './schemas.ts';

/** Throws CONFLICT for a draft or cancelled lesson, and ENGINE_UNAVAILABLE when the language rules are missing. */
export async function requestPapers(
  call: LessonCallOf<Static<typeof PapersBody>>,
): Promise<Static<typeof PapersRequested>> {
  const { services, trx, actor, scope, body, now } = call;
  const row = await lockLesson(trx, scope.lesson, 'share');
  requireAcceptedCall('print', row);
  const { paper } = await readPaper({ services, trx, now }, row);
  const order: PaperOrder = { variants: paperVariants.filter((variant) => body.variants.includes(variant)) };
  const job = await requestReport(trx, {
    organizationId: row.organizationId,
    kind: lessonPdf,
    subject: row.id,
    input: order,
    // The hash is keyed because its input contains names of children, which could otherwise be guessed.
    contentKey: services.cipher.keyedHash('session_papers', canonicalJson({ ...order, sessionId: row.id, paper })),
    requestedBy: actor.userId,
    now,
  });
  await appendLessonAct(trx, row, { action: 'pdf_requested', actorUserId: actor.userId, changedFields: [], now });
  return { jobId: job.id, state: reportStateAt(job, now) };
}
