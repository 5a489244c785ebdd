// Approval of an import by a second person: the whole batch is evaluated again by the rules in force and published.
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { conflict } from '#core/platform/errors.ts';
import { type BatchRow, findBatch, lockBatches, markApproved, pendingContentOf } from '../rows/batches.ts';
import { activeVersions, type HashedBlueprint, type PublishedBatch, publishBlueprints } from '../rows/publish.ts';
import type { Blueprint } from '../schemas.ts';
import { evaluateBatch } from './evaluate-batch.ts';

/** The evaluation of a batch that is pending approval. */
type EvaluatedImport = {
  readonly bundleId: string;
  readonly errors: number;
  readonly blueprints: readonly HashedBlueprint[];
};

/**
 * Evaluates the batch again, because the rules may have changed since the import. The returned function throws as
 * `evaluateBatch` does and returns undefined when the batch is not pending approval.
 */
export async function prepareBatchApproval(
  { rules }: Pick<Services, 'rules'>,
  trx: Trx,
  { id, state }: BatchRow,
  now: Date,
): Promise<() => Promise<EvaluatedImport | undefined>> {
  const text = state === 'validated' ? await pendingContentOf(trx, id) : null;
  if (text === null) return async () => undefined;
  const { bundleId, rules: bundle } = await rules.at(trx, now);
  const batch: readonly Blueprint[] = JSON.parse(text);
  const published = await activeVersions(
    trx,
    batch.map(({ blueprintCode }) => blueprintCode),
  );
  return async () => {
    const { report, blueprints } = await evaluateBatch(bundle, batch, published);
    return { bundleId, errors: report.errors, blueprints };
  };
}

/** Throws CONFLICT `invalid_transition`, `rules_moved` or `no_longer_valid`. */
export async function approveImport(
  { rules, clock }: Pick<Services, 'rules' | 'clock'>,
  trx: Trx,
  { id }: BatchRow,
  evaluated: EvaluatedImport | undefined,
  approvedBy: number,
): Promise<PublishedBatch> {
  await lockBatches(trx);
  const row = await findBatch(trx, id);
  if (row?.state !== 'validated' || !evaluated) {
    throw conflict('invalid_transition', 'The import is not pending approval.');
  }
  const now = clock.now();
  const { bundleId } = await rules.at(trx, now);
  if (bundleId !== evaluated.bundleId) {
    throw conflict('rules_moved', 'Other rules have come into force. Try again.');
  }
  if (evaluated.errors > 0) throw conflict('no_longer_valid', 'The rules in force find errors in the import.');
  await markApproved(trx, id, approvedBy, now);
  return publishBlueprints(trx, id, evaluated.blueprints, now);
}
