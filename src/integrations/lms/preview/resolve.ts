// Stores the resolutions of an administrator for rows of a preview.
import type { Trx } from '#core/platform/db.ts';
import { conflict, invalid, notFound } from '#core/platform/errors.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { mayResolve, type ResolvableRow } from '../engine/resolutions.ts';
import type { Resolution, RowReasonCode } from '../enums.ts';
import { LmsPreview, LmsPreviewRow, lockPreview, type PreviewKey, previewStateAt } from './rows.ts';

/** Throws CONFLICT for a preview that is being built or has ended. */
async function lockOpen(trx: Trx, key: PreviewKey, clock: () => Date): Promise<LmsPreview> {
  const preview = await lockPreview(trx, key);
  if (!preview) throw notFound();
  const state = previewStateAt(preview, clock());
  if (state === 'building') throw conflict('not_ready', 'The preview is not built yet.');
  if (state !== 'ready') throw conflict(state, `The preview is ${state}.`);
  return preview;
}

/** Counts the resolution in the preview, so that the audit records it. */
const count = (trx: Trx, { organizationId, id }: PreviewKey): Promise<unknown> =>
  LmsPreview.query(trx).where({ organizationId, id }).increment('resolutions', 1).execute();

const notPossible = () =>
  invalid('resolution', 'not_possible', 'This row cannot be resolved so. Skip it, or correct it at the source.');

/**
 * Throws VALIDATION_ERROR `not_possible`. Accepting one class of a student with several classes skips the other rows of the
 * student.
 */
export async function resolveRow(
  trx: Trx,
  key: PreviewKey,
  { rowId, resolution, clock }: { rowId: string; resolution: Resolution | null; clock: () => Date },
): Promise<LmsPreviewRow> {
  const { organizationId, id: previewId } = await lockOpen(trx, key, clock);
  const row = await LmsPreviewRow.query(trx).findOne({ organizationId, previewId, id: rowId });
  if (!row) throw notFound();
  const hasIdentity = 'hasIdentity' in row.facts && row.facts.hasIdentity;
  if (!mayResolve({ ...row, hasUser: row.userId !== null, hasIdentity }, resolution)) throw notPossible();
  await count(trx, key);
  const { reasonCode, personExternalId } = row;
  if (reasonCode === 'two_classes' && resolution === 'accept_lms') {
    await LmsPreviewRow.query(trx)
      .where({ organizationId, previewId, reasonCode, personExternalId })
      .patch({ resolution: 'skip_row' });
  }
  return LmsPreviewRow.query(trx).patchAndFetchById([organizationId, previewId, row.position], { resolution });
}

/** Resolves all rows of one reason, or none of them. Throws VALIDATION_ERROR `not_possible`. */
export async function resolveRows(
  trx: Trx,
  key: PreviewKey,
  { reasonCode, resolution, clock }: { reasonCode: RowReasonCode; resolution: Resolution | null; clock: () => Date },
): Promise<number> {
  const { organizationId, id: previewId } = await lockOpen(trx, key, clock);
  const kinds = await rowsOf<ResolvableRow>(
    trx,
    `select distinct entity, action, reason_code, user_id is not null as has_user,
       (facts -> 'hasIdentity')::boolean is true as has_identity from lms_preview_row
     where organization_id = :organizationId and preview_id = :previewId and reason_code = :reasonCode`,
    { organizationId, previewId, reasonCode },
  );
  const isOneOfMany = reasonCode === 'two_classes' && resolution === 'accept_lms';
  if (isOneOfMany || !kinds.every((kind) => mayResolve(kind, resolution))) throw notPossible();
  await count(trx, key);
  return LmsPreviewRow.query(trx)
    .where({ organizationId, previewId, reasonCode })
    .whereRaw('resolution is distinct from ?', [resolution])
    .patch({ resolution });
}
