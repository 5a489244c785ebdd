// What a sync makes so by itself: rows that nobody has to decide. The others stay, as a preview that somebody opens.
import type { Trx } from '../../platform/db.ts';
import { AppError } from '../../platform/errors.ts';
import { rowsOf } from '../../platform/sql.ts';
import { recordChanges } from '../commit/bases.ts';
import { writeRows } from '../commit/commit.ts';
import { effect, isPerson, rowsOfPreview } from '../commit/effect.ts';
import { LmsPreview, type PreviewSummary } from '../preview/rows.ts';
import type { RunCounts } from '../runs/rows.ts';

export const isDrift = (error: unknown): boolean =>
  error instanceof AppError && (error.details ?? []).some(({ issue }) => issue === 'drifted');

/** Connection and preview are locked, a writer is named. CONFLICT `drifted`, and nothing is written. */
export async function makeSo(trx: Trx, preview: LmsPreview, runId: string, now: Date): Promise<RunCounts> {
  const { open: conflicts, ...counts } = await writeRows(trx, preview, now);
  await recordChanges(trx, preview, runId, now);
  if (conflicts > 0) await leaveTheRest(trx, preview);
  else await close(trx, preview, { ...counts, conflicts_remaining: 0 }, now);
  return { ...counts, conflicts };
}

async function close(
  trx: Trx,
  { organizationId, id }: LmsPreview,
  answer: NonNullable<LmsPreview['answer']>,
  now: Date,
) {
  await LmsPreview.query(trx)
    .findById([organizationId, id])
    .patch({ state: 'committed', committedAt: now.toISOString(), answer });
}

/** What was written has nothing left to do; who waits for a decision, and what hangs on that, stays as it is. */
async function leaveTheRest(trx: Trx, { organizationId, id: previewId }: LmsPreview): Promise<void> {
  const key = { organizationId, previewId };
  await rowsOf(
    trx,
    `update lms_preview_row w set action = 'skip', reason_code = 'unchanged', changes = '[]', local = d.local,
       facts = w.facts || '{"isStale": false}'
     from (select r.organization_id, r.preview_id, r.position, case when ${isPerson}
         then jsonb_build_object('userId', u.id, 'fullNameAr', u.full_name_ar, 'email', u.email, 'status', u.status)
         else jsonb_build_object('classId', r.facts -> 'classId', 'userId', r.user_id) end as local
       from lms_preview_row r left join app_user u on u.organization_id = r.organization_id and u.id = r.user_id
       where r.organization_id = :organizationId and r.preview_id = :previewId and r.user_id is not null
         and ${effect} = 'write') d
     where w.organization_id = d.organization_id and w.preview_id = d.preview_id and w.position = d.position
       and w.organization_id = :organizationId`,
    key,
  );
  const [summary] = await rowsOf<PreviewSummary>(
    trx,
    `select count(*) filter (where r.action = 'create')::integer as create,
       count(*) filter (where r.action = 'update')::integer as update,
       count(*) filter (where r.action = 'conflict')::integer as conflict,
       count(*) filter (where r.action = 'skip')::integer as skip
     from ${rowsOfPreview}`,
    key,
  );
  if (summary) await LmsPreview.query(trx).findById([organizationId, previewId]).patch({ summary });
}
