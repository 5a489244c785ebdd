// Profiles that people write. A published profile keeps its row, which names its author; its text is that of the version.
import type { Trx } from '#core/platform/db.ts';
import { newId } from '#core/platform/ids.ts';
import { lockRows } from '#core/platform/locks.ts';
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

export const allRows = (trx: Trx): Promise<BenchmarkProfileRow[]> => trx('benchmark_profile').select('*');

export const lockRow = (trx: Trx, id: string): Promise<BenchmarkProfileRow | undefined> =>
  lockRows('benchmarkProfile', 'change', trx('benchmark_profile').where({ id })).first();

/** Returns undefined when the cell has a draft already. */
export async function insertProfileDraft(
  trx: Trx,
  profile: ProfileCell & Expectation,
  createdBy: number,
  now: Date,
): Promise<string | undefined> {
  const { cuts, ...rest } = profile;
  const id = newId();
  const row = { id, key: cellKeyOf(profile), ...rest, cuts: JSON.stringify(cuts), createdBy, createdAt: now };
  const added = await trx('benchmark_profile').insert(row).onConflict().ignore().returning('id');
  return added.length > 0 ? id : undefined;
}

export async function updateProfileDraft(
  trx: Trx,
  id: string,
  { cuts, source, titleAr }: Expectation,
  editorUserIds: readonly number[],
): Promise<void> {
  await trx('benchmark_profile')
    .where({ id })
    .update({ cuts: JSON.stringify(cuts), source, titleAr, editorUserIds: [...editorUserIds] });
}

export async function markPublished(trx: Trx, id: string, versionId: string): Promise<void> {
  await trx('benchmark_profile').where({ id }).update({ versionId });
}
