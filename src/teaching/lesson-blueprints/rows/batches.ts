// Rows of imports. The content of an import never changes; it is stored while the import may still be published.
import type { Trx } from '#core/platform/db.ts';
import { newId } from '#core/platform/ids.ts';
import { acquireLock } from '#core/platform/locks.ts';
import type { BatchState } from '../enums.ts';
import type { BatchReport } from '../report.ts';

export interface BatchRow {
  readonly id: string;
  readonly batchCode: string;
  readonly state: BatchState;
  /** Null for the batch of a release. */
  readonly importedBy: number | null;
  readonly createdAt: string;
  readonly report: BatchReport;
}

export const batchColumns = ['id', 'batchCode', 'state', 'importedBy', 'createdAt', 'report'];

/** Serializes imports and publications, so that the versions of a code follow each other. */
export const lockBatches = (trx: Trx): Promise<void> => acquireLock(trx, 'blueprintBatches');

export const findBatch = async (trx: Trx, id: string): Promise<BatchRow | undefined> =>
  trx('blueprint_batch').where({ id }).first(batchColumns);

/** Returns the content that is pending approval; null when the import is decided. */
export const pendingContentOf = async (trx: Trx, id: string): Promise<string | null> =>
  (await trx('blueprint_batch').where({ id }).first('content'))?.content ?? null;

export interface NewBatch extends Omit<BatchRow, 'id' | 'createdAt'> {
  readonly content: string | null;
  readonly contentHash: string;
}

/** The caller holds the lock of imports. */
export async function insertBatch(trx: Trx, batch: NewBatch, now: Date): Promise<BatchRow> {
  const decidedAt = batch.state === 'approved' ? now : null;
  const report = JSON.stringify(batch.report);
  const [row] = await trx('blueprint_batch')
    .insert({ id: newId(), ...batch, report, createdAt: now, decidedAt })
    .returning(batchColumns);
  return row;
}

/** Supersedes the import of this code that is pending approval. */
export async function supersedeWaiting(trx: Trx, batchCode: string, now: Date): Promise<void> {
  const superseded = { state: 'superseded', content: null, decidedAt: now };
  await trx('blueprint_batch').where({ batchCode, state: 'validated' }).update(superseded);
}

export async function markApproved(trx: Trx, id: string, approvedBy: number, now: Date): Promise<void> {
  const approved = { state: 'approved', content: null, approvedBy, decidedAt: now };
  await trx('blueprint_batch').where({ id }).update(approved);
}
