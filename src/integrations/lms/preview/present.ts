// Presents previews and their rows to administrators, without the values that only a commit needs.
import { defaultLimit, keyInCursor, pageOf } from '#core/http/pages.ts';
import type { Trx } from '#core/platform/db.ts';
import type { RowReasonCode } from '../enums.ts';
import { duplicatesOfRows, type Hints } from './duplicates.ts';
import { type LmsPreview, LmsPreviewRow, previewStateAt } from './rows.ts';
import type { PreviewRowView } from './schemas.ts';

export async function presentPreviewRow(trx: Trx, row: LmsPreviewRow): Promise<PreviewRowView> {
  return presentWithHints(await duplicatesOfRows(trx, [row]))(row);
}

const presentWithHints =
  (hints: ReadonlyMap<string, Hints>) =>
  (row: LmsPreviewRow): PreviewRowView => {
    const possibleDuplicates = hints.get(row.id);
    return {
      rowId: row.id,
      entity: row.entity,
      action: row.action,
      reasonCode: row.reasonCode,
      external: row.external as PreviewRowView['external'],
      local: row.local as PreviewRowView['local'],
      changes: [...row.changes],
      resolution: row.resolution,
      ...(possibleDuplicates && { possibleDuplicates }),
    };
  };

interface PreviewPageQuery {
  readonly limit?: number;
  readonly cursor?: string;
  readonly reasonCode?: RowReasonCode;
}

export const cursorKey = (cursor: string | undefined) => keyInCursor(cursor, ['count']);

/** Shows no rows while the preview is being built. */
export async function presentPreview(trx: Trx, preview: LmsPreview, pageQuery: PreviewPageQuery, now: Date) {
  const { id: previewId, connectionId, createdAt, expiresAt, summary, warnings } = preview;
  const state = previewStateAt(preview, now);
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
  const rows = await query;
  const present = presentWithHints(await duplicatesOfRows(trx, rows.slice(0, limit)));
  return pageOf(rows, limit, ({ position }) => [position], present);
}
