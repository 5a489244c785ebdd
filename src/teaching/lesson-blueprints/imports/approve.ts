// Two persons for every blueprint: what one brings in another publishes, whole, after the rules have looked at it again.
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { conflict } from '#core/platform/errors.ts';
import { type BatchRow, contentOf, findBatch, lockBatches, markApproved } from '../rows/batches.ts';
import { activeVersions, type HashedBlueprint, type Published, publish } from '../rows/publish.ts';
import type { Blueprint } from '../schemas.ts';
import { judgeBatch } from './judge.ts';

/** Undefined where the batch waits for no approval. */
type Judged = { readonly bundleId: string; readonly errors: number; readonly blueprints: readonly HashedBlueprint[] };

/** Rules may have changed since the import. What it answers throws as `judgeBatch`. */
export async function prepareApproval(
  { rules }: Pick<Services, 'rules'>,
  trx: Trx,
  { id, state }: BatchRow,
  now: Date,
): Promise<() => Promise<Judged | undefined>> {
  const text = state === 'validated' ? await contentOf(trx, id) : null;
  if (text === null) return async () => undefined;
  const { bundleId, rules: bundle } = await rules.at(trx, now);
  const batch: readonly Blueprint[] = JSON.parse(text);
  const published = await activeVersions(
    trx,
    batch.map(({ blueprintCode }) => blueprintCode),
  );
  return async () => {
    const { report, blueprints } = await judgeBatch(bundle, batch, published);
    return { bundleId, errors: report.errors, blueprints };
  };
}

/** Throws CONFLICT `invalid_transition`, `rules_moved` or `no_longer_valid`. */
export async function approveImport(
  { rules, clock }: Pick<Services, 'rules' | 'clock'>,
  trx: Trx,
  { id }: BatchRow,
  judged: Judged | undefined,
  approvedBy: number,
): Promise<Published> {
  await lockBatches(trx);
  const row = await findBatch(trx, id);
  if (row?.state !== 'validated' || !judged) {
    throw conflict('invalid_transition', 'The import does not wait for an approval.');
  }
  const now = clock.now();
  const { bundleId } = await rules.at(trx, now);
  if (bundleId !== judged.bundleId) {
    throw conflict('rules_moved', 'Other rules have come into force meanwhile. Try again.');
  }
  if (judged.errors > 0) throw conflict('no_longer_valid', 'The rules in force find errors in the import.');
  await markApproved(trx, id, approvedBy, now);
  return publish(trx, id, judged.blueprints, now);
}
