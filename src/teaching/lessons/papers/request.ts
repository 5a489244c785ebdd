// Papers are asked for: the same session with the same papers is printed once.
import type { Static } from 'typebox';
import { canonicalJson } from '#core/platform/pure/canonical-json.ts';
import { requestReport, stateAt } from '#messaging/documents/index.ts';
import type { SessionCallOf } from '../changes/call.ts';
import { paperVariants } from '../enums.ts';
import { appendAct } from '../rows/change.ts';
import { requireCall } from '../rows/moves.ts';
import type { PaperOrder } from '../rows/pdf-jobs.ts';
import { lockSession } from '../rows/store.ts';
import { sessionPdf } from './kind.ts';
import { readPaper } from './read.ts';
import type { PapersBody, PapersRequested } from './schemas.ts';

/** CONFLICT for a session that is not accepted yet, or was called off; ENGINE_UNAVAILABLE without language rules. */
export async function requestPapers(
  call: SessionCallOf<Static<typeof PapersBody>>,
): Promise<Static<typeof PapersRequested>> {
  const { services, trx, actor, scope, body, now } = call;
  const row = await lockSession(trx, scope.session, 'share');
  requireCall('print', row);
  const { paper } = await readPaper({ services, trx, now }, row);
  const order: PaperOrder = { variants: paperVariants.filter((variant) => body.variants.includes(variant)) };
  const job = await requestReport(trx, {
    ...{ organizationId: row.organizationId, kind: sessionPdf, subject: row.id, input: order },
    // Names of children are in it: nobody is to guess them by trying.
    contentKey: services.cipher.keyedHash('session_papers', canonicalJson({ ...order, sessionId: row.id, paper })),
    ...{ requestedBy: actor.userId, now },
  });
  await appendAct(trx, row, { action: 'pdf_requested', actorUserId: actor.userId, changedFields: [], now });
  return { jobId: job.id, state: stateAt(job, now) };
}
