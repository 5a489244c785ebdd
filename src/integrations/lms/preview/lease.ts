// Writes the rows of previews under a lease: only the process that holds the lease of a preview builds it.
import { leasedRows } from '#core/long-jobs/index.ts';
import { type Db, inContext, type Trx } from '#core/platform/db.ts';
import { planForAnyValues } from '#core/platform/sql.ts';
import type { RunError } from '../enums.ts';
import { LmsPreview, type PreviewKey, type PreviewSummary, type PreviewWarning } from './rows.ts';

export const previewRows = leasedRows<LmsPreview>({
  name: LmsPreview.tableName,
  openStates: ['building'],
  heldState: 'building',
  writesBatches: true,
  within: inContext,
  toRow: (stored) => LmsPreview.fromJson(stored, { skipValidation: true }),
});

/**
 * Runs one short transaction of the holder, with plans for organizations that the statistics do not know. Throws LostLease.
 * `values`: columns of the preview to write in it. Default: a renewal of the lease.
 */
export const whileHeld = <T>(
  db: Db,
  preview: LmsPreview,
  work: (trx: Trx) => Promise<T>,
  values: object = previewRows.renewed(db),
): Promise<T> =>
  inContext(db, preview, async (trx) => {
    await previewRows.writeIn(trx, preview, values);
    await planForAnyValues(trx);
    return work(trx);
  });

/** Ends the preview and deletes its staged rows. */
const end = (db: Db, preview: LmsPreview, values: object): Promise<void> =>
  whileHeld(db, preview, (trx) => removeStaged(trx, preview), { ...values, heldUntil: null });

export const failPreview = (db: Db, preview: LmsPreview, errorCode: RunError): Promise<void> =>
  end(db, preview, { state: 'failed', errorCode });

export interface BuiltPreview {
  readonly summary: PreviewSummary;
  readonly warnings: readonly PreviewWarning[];
}

export const finishPreview = (db: Db, preview: LmsPreview, { summary, warnings }: BuiltPreview): Promise<void> =>
  end(db, preview, { state: 'ready', summary: JSON.stringify(summary), warnings: JSON.stringify(warnings) });

export async function removeStaged(trx: Trx, { organizationId, id: previewId }: PreviewKey): Promise<void> {
  for (const table of ['lms_staged_person', 'lms_staged_enrollment']) {
    await trx(table).where({ organizationId, previewId }).delete();
  }
}
