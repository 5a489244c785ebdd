// Rows of imports. The content of an import never changes; it is stored while the import may still be published.
import type { Trx } from '#core/platform/db.ts';
import { newId } from '#core/platform/ids.ts';
import { acquireLock } from '#core/platform/locks.ts';
import { Row } from '#core/platform/model.ts';
import type { BatchState } from '../enums.ts';
import type { BatchReport } from '../report.ts';

export class BlueprintBatch extends Row {
  static override tableName = 'blueprint_batch';
  static override jsonAttributes = ['report'];
  declare readonly id: string;
  declare batchCode: string;
  declare state: BatchState;
  /** Null for the batch of a release. */
  declare importedBy: number | null;
  declare createdAt: string;
  declare report: BatchReport;
  declare contentHash: string;
  declare content: string | null;
  declare approvedBy: number | null;
  declare decidedAt: string | null;
}

export type BatchRow = Pick<BlueprintBatch, 'id' | 'batchCode' | 'state' | 'importedBy' | 'createdAt' | 'report'>;

export const batchColumns = ['id', 'batchCode', 'state', 'importedBy', 'createdAt', 'report'];

/** Serializes imports and publications, so that the versions of a code follow each other. */
export const lockBatches = (trx: Trx): Promise<void> => acquireLock(trx, 'blueprintBatches');

export const findBatch = async (trx: Trx, id: string): Promise<BatchRow | undefined> =>
  BlueprintBatch.query(trx).where({ id }).select(batchColumns).first();

/** Returns the content that is pending approval; null when the import is decided. */
export const pendingContentOf = async (trx: Trx, id: string): Promise<string | null> =>
  (await BlueprintBatch.query(trx).where({ id }).select('content').first())?.content ?? null;

export interface NewBatch extends Omit<BatchRow, 'id' | 'createdAt'> {
  readonly content: string | null;
  readonly contentHash: string;
}

/** The caller holds the lock of imports. */
export async function insertBatch(trx: Trx, batch: NewBatch, now: Date): Promise<BatchRow> {
  const createdAt = now.toISOString();
  const decidedAt = batch.state === 'approved' ? createdAt : null;
  return BlueprintBatch.query(trx)
    .insert({ id: newId(), ...batch, createdAt, decidedAt })
    .returning(batchColumns);
}

/** Supersedes the import of this code that is pending approval. */
export async function supersedeWaiting(trx: Trx, batchCode: string, now: Date): Promise<void> {
  const superseded = { state: 'superseded', content: null, decidedAt: now.toISOString() } as const;
  await BlueprintBatch.query(trx).where({ batchCode, state: 'validated' }).update(superseded);
}

export async function markApproved(trx: Trx, id: string, approvedBy: number, now: Date): Promise<void> {
  const approved = { state: 'approved', content: null, approvedBy, decidedAt: now.toISOString() } as const;
  await BlueprintBatch.query(trx).where({ id }).update(approved);
}
