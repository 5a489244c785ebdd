// Profiles that people write. A published profile keeps its row, which names its author; its text is that of the version.

import type { Trx } from '#core/platform/db.ts';
import { newId } from '#core/platform/ids.ts';
import { lockRows } from '#core/platform/locks.ts';
import { modelOf } from '#core/platform/model.ts';
import { cellKeyOf, type Expectation, type ProfileCell } from './cell.ts';

export interface BenchmarkProfileRow extends ProfileCell, Expectation {
  readonly id: string;
  readonly key: string;
  readonly createdBy: number;
  /** The people who have changed it; the creator may be among them. */
  readonly editorUserIds: readonly number[];
  /** ISO 8601. */
  readonly createdAt: string;
  /** `benchmark/key@version`; null for a draft. */
  readonly versionId: string | null;
}

const BenchmarkProfile = modelOf<BenchmarkProfileRow>('benchmark_profile', { json: ['cuts'] });

export const allRows = (trx: Trx): Promise<BenchmarkProfileRow[]> => BenchmarkProfile.query(trx).select('*').execute();

export const lockRow = (trx: Trx, id: string): Promise<BenchmarkProfileRow | undefined> =>
  lockRows('benchmarkProfile', 'change', BenchmarkProfile.query(trx).where({ id })).first().execute();

/** Returns undefined when the cell has a draft already. */
export async function insertProfileDraft(
  trx: Trx,
  profile: ProfileCell & Expectation,
  createdBy: number,
  now: Date,
): Promise<string | undefined> {
  const id = newId();
  const row = { id, key: cellKeyOf(profile), ...profile, createdBy, createdAt: now.toISOString() };
  const added = await BenchmarkProfile.query(trx).insert(row).onConflict().ignore().returning('id').toKnexQuery();
  return added.length > 0 ? id : undefined;
}

export async function updateProfileDraft(
  trx: Trx,
  id: string,
  { cuts, source, titleAr }: Expectation,
  editorUserIds: readonly number[],
): Promise<void> {
  await BenchmarkProfile.query(trx).where({ id }).update({ cuts, source, titleAr, editorUserIds });
}

export async function markPublished(trx: Trx, id: string, versionId: string): Promise<void> {
  await BenchmarkProfile.query(trx).where({ id }).update({ versionId });
}
