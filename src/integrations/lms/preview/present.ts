// Presents previews and their rows to administrators, without the values that only a commit needs.
import { defaultLimit, keyOf, pageOf } from '#core/http/pages.ts';
import type { Trx } from '#core/platform/db.ts';
import type { ReasonCode } from '../enums.ts';
import { type LmsPreview, LmsPreviewRow, stateAt } from './rows.ts';
import type { PreviewRowView } from './schemas.ts';

export const presentRow = (row: LmsPreviewRow): PreviewRowView => ({
  rowId: row.id,
  entity: row.entity,
  action: row.action,
  reasonCode: row.reasonCode,
  external: row.external as PreviewRowView['external'],
  local: row.local as PreviewRowView['local'],
  changes: [...row.changes],
  resolution: row.resolution,
});

interface PreviewPageQuery {
  readonly limit?: number;
  readonly cursor?: string;
  readonly reasonCode?: ReasonCode;
}

export const cursorKey = (cursor: string | undefined) => keyOf(cursor, ['count']);

/** Shows no rows while the preview is being built. */
export async function presentPreview(trx: Trx, preview: LmsPreview, pageQuery: PreviewPageQuery, now: Date) {
  const { id: previewId, connectionId, createdAt, expiresAt, summary, warnings } = preview;
  const state = stateAt(preview, now);
  const shown =
    preview.state === 'building' || preview.state === 'failed' ? noRows : await rowsOfPage(trx, preview, pageQuery);
  return {
    previewId,
    connectionId,
    state,
    createdAt,
    expiresAt,
    summary,
    warnings,
    errorCode: preview.errorCode,
    rows: shown.items,
    nextCursor: shown.nextCursor,
  };
}

const noRows = { items: [], nextCursor: null };

async function rowsOfPage(trx: Trx, { organizationId, id: previewId }: LmsPreview, pageQuery: PreviewPageQuery) {
  const { limit = defaultLimit, cursor, reasonCode } = pageQuery;
  const query = LmsPreviewRow.query(trx)
    .where({ organizationId, previewId })
    .orderBy('position')
    .limit(limit + 1);
  if (reasonCode !== undefined) query.where({ reasonCode });
  const after = cursorKey(cursor);
  if (after) query.where('position', '>', after[0] ?? 0);
  return pageOf(await query, limit, ({ position }) => [position], presentRow);
}
