// A preview is built by whoever holds it: one who was thought dead, and has lost it to another, writes nothing any more.
import { type Db, inContext, type Trx } from '#core/platform/db.ts';
import { planForAnyValues } from '#core/platform/sql.ts';
import type { RunError } from '../enums.ts';
import { LmsPreview, type PreviewKey, type PreviewSummary, type PreviewWarning } from './rows.ts';

const leaseSeconds = 30;
const lease = `clock_timestamp() + interval '${leaseSeconds} seconds'`;

/** Held from now on and counted as begun; undefined where another holds it, or where it is built. */
export const claimPreview = (db: Db, { organizationId, id }: PreviewKey): Promise<LmsPreview | undefined> =>
  inContext(db, { organizationId }, async (trx) => {
    const [row] = await trx('lms_preview')
      .where({ organizationId, id, state: 'building' })
      .whereRaw('(held_until is null or held_until < clock_timestamp())')
      .update({ token: trx.raw('token + 1'), attempts: trx.raw('attempts + 1'), heldUntil: trx.raw(lease) })
      .returning('id');
    return row && LmsPreview.query(trx).findOne({ organizationId, id });
  });

/** The preview is another's by now. */
export class LostPreview extends Error {
  override readonly name = 'LostPreview';
}

const held = (trx: Trx, { organizationId, id, token }: LmsPreview) =>
  trx('lms_preview').where({ organizationId, id, token, state: 'building' });

/** One short transaction of the holder, planned for organizations that the statistics do not know. Throws LostPreview. */
export const whileHeld = <T>(db: Db, preview: LmsPreview, work: (trx: Trx) => Promise<T>): Promise<T> =>
  inContext(db, { organizationId: preview.organizationId }, async (trx) => {
    if ((await held(trx, preview).update({ heldUntil: trx.raw(lease) })) !== 1) throw new LostPreview();
    await planForAnyValues(trx);
    return work(trx);
  });

export const renewPreview = (db: Db, preview: LmsPreview): Promise<unknown> => whileHeld(db, preview, async () => {});

export const releasePreview = (db: Db, preview: LmsPreview): Promise<unknown> =>
  inContext(db, { organizationId: preview.organizationId }, (trx) => held(trx, preview).update({ heldUntil: null }));

export const failPreview = (db: Db, preview: LmsPreview, errorCode: RunError): Promise<unknown> =>
  inContext(db, { organizationId: preview.organizationId }, async (trx) => {
    await removeStaged(trx, preview);
    await held(trx, preview).update({ state: 'failed', errorCode, heldUntil: null });
  });

export interface BuiltPreview {
  readonly summary: PreviewSummary;
  readonly warnings: readonly PreviewWarning[];
}

/** What was staged goes; what would be done stays. */
export const finishPreview = (db: Db, preview: LmsPreview, { summary, warnings }: BuiltPreview): Promise<void> =>
  whileHeld(db, preview, async (trx) => {
    await removeStaged(trx, preview);
    await held(trx, preview).update({
      ...{ state: 'ready', heldUntil: null },
      summary: JSON.stringify(summary),
      warnings: JSON.stringify(warnings),
    });
  });

export async function removeStaged(trx: Trx, { organizationId, id: previewId }: PreviewKey): Promise<void> {
  for (const table of ['lms_staged_person', 'lms_staged_enrollment']) {
    await trx(table).where({ organizationId, previewId }).delete();
  }
}
