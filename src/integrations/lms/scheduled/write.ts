// Commits the rows of a sync that need no decision. Rows in conflict stay in the preview, for an administrator to resolve;
// rows without effect are deleted.
import type { Trx } from '#core/platform/db.ts';
import { AppError } from '#core/platform/errors.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { recordChanges } from '../commit/baseline.ts';
import { writeRows } from '../commit/commit.ts';
import { effect, isPerson, rowsOfPreview } from '../commit/effect.ts';
import { LmsPreview, type PreviewSummary } from '../preview/rows.ts';
import type { RunCounts } from '../runs/rows.ts';

const driftIssues: readonly string[] = ['drifted', 'would_orphan_last_teacher'];
export const isDrift = (error: unknown): boolean =>
  error instanceof AppError && (error.details ?? []).some(({ issue }) => driftIssues.includes(issue));

/**
 * The caller holds the locks of the connection and the preview, and has named the writer. Throws an error that `isDrift`
 * recognizes when rows have changed; nothing is written then.
 */
export async function commitUndisputedRows(
  trx: Trx,
  preview: LmsPreview,
  runId: string,
  now: Date,
): Promise<RunCounts> {
  const { organizationId, id } = preview;
  const { open: conflicts, ...counts } = await writeRows(trx, preview, now);
  await recordChanges(trx, preview, runId, now);
  const key = { organizationId, previewId: id };
  await rowsOf(trx, withoutSilentRows, key);
  if (conflicts > 0) await rowsOf(trx, writtenRows, key);
  const answer = { ...counts, conflicts_remaining: 0 } as const;
  const closed = { state: 'committed', committedAt: now.toISOString(), answer } as const;
  await LmsPreview.query(trx)
    .findById([organizationId, id])
    .patch({ summary: await summaryOf(trx, key), ...(conflicts === 0 && closed) });
  return { ...counts, conflicts };
}

/**
 * Rows that were written become skipped ones. Rows that wait for a decision, and rows that depend on those, stay as they are.
 */
const writtenRows = `
  update lms_preview_row w set action = 'skip', reason_code = 'unchanged', changes = '[]', local = d.local,
    facts = w.facts || '{"isStale": false}'
  from (select r.organization_id, r.preview_id, r.position, case when ${isPerson}
      then jsonb_build_object('userId', u.id, 'fullNameAr', u.full_name_ar, 'email', u.email, 'status', u.status)
      when (r.facts -> 'isOpen')::boolean then jsonb_build_object('classId', r.facts -> 'classId', 'userId', r.user_id)
      end as local
    from lms_preview_row r left join app_user u on u.organization_id = r.organization_id and u.id = r.user_id
    where r.organization_id = :organizationId and r.preview_id = :previewId and r.user_id is not null
      and ${effect} = 'write') d
  where w.organization_id = d.organization_id and w.preview_id = d.preview_id and w.position = d.position
    and w.organization_id = :organizationId`;

const hasEffect = (alias: string) => `(${alias}.action <> 'skip' or (${alias}.facts -> 'isStale')::boolean)`;

/**
 * Rows of guardians and of their children are kept together, because a person who is imported later is linked to the people
 * of the preview.
 */
const withoutSilentRows = `
  with family as materialized (select g.person_external_id as guardian, c.id as child, ${hasEffect('g')} as is_kept
      from lms_preview_row g cross join lateral jsonb_array_elements_text(g.facts -> 'childExternalIds') as c (id)
      where g.organization_id = :organizationId and g.preview_id = :previewId and g.entity = 'guardian'),
    relative as materialized (select f.child as id from family f where f.is_kept
      union select f.guardian from family f join lms_preview_row s on s.organization_id = :organizationId
        and s.preview_id = :previewId and s.person_external_id = f.child and s.entity = 'student' and ${hasEffect('s')})
  delete from lms_preview_row r where r.organization_id = :organizationId and r.preview_id = :previewId
    and not ${hasEffect('r')}
    and (r.entity = 'enrollment' or r.person_external_id not in (select id from relative))`;

const summaryOf = async (
  trx: Trx,
  key: { readonly organizationId: string; readonly previewId: string },
): Promise<PreviewSummary> => {
  const [summary] = await rowsOf<PreviewSummary>(
    trx,
    `select count(*) filter (where r.action = 'create')::integer as create,
       count(*) filter (where r.action = 'update')::integer as update,
       count(*) filter (where r.action = 'conflict')::integer as conflict,
       count(*) filter (where r.action = 'skip')::integer as skip
     from ${rowsOfPreview}`,
    key,
  );
  return summary ?? { create: 0, update: 0, conflict: 0, skip: 0 };
};
