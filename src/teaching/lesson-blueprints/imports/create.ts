// Import of a batch: it is evaluated while no transaction is open, then stored for the approval by another person.
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { canonicalHash } from '#core/platform/pure/canonical-json.ts';
import { type BatchRow, insertBatch, lockBatches, supersedeWaiting } from '../rows/batches.ts';
import { activeVersions } from '../rows/publish.ts';
import type { ImportBody } from '../schemas.ts';
import { blueprintsIn } from './body.ts';
import { type EvaluatedBatch, evaluateBatch } from './evaluate-batch.ts';

/** Throws as `blueprintsIn` does; the returned function throws as `evaluateBatch` does. */
export async function prepareImport(
  { rules }: Pick<Services, 'rules'>,
  trx: Trx,
  body: ImportBody,
  now: Date,
): Promise<() => Promise<EvaluatedBatch>> {
  const blueprints = blueprintsIn(body);
  const { rules: bundle } = await rules.at(trx, now);
  const published = await activeVersions(
    trx,
    blueprints.map(({ blueprintCode }) => blueprintCode),
  );
  return () => evaluateBatch(bundle, blueprints, published);
}

/**
 * Stores a batch. One with errors cannot be approved; warnings do not prevent an approval. A pending batch with the same
 * code is superseded in both cases.
 */
export async function createImport(
  { clock }: Pick<Services, 'clock'>,
  trx: Trx,
  { batchCode }: Pick<ImportBody, 'batchCode'>,
  { report, blueprints }: EvaluatedBatch,
  importedBy: number,
): Promise<BatchRow> {
  await lockBatches(trx);
  const now = clock.now();
  const state = report.errors > 0 ? 'invalid' : 'validated';
  const contents = blueprints.map(({ content }) => content);
  await supersedeWaiting(trx, batchCode, now);
  const content = state === 'validated' ? JSON.stringify(contents) : null;
  const contentHash = canonicalHash(blueprints.map(({ hash }) => hash));
  return insertBatch(trx, { batchCode, state, importedBy, report, content, contentHash }, now);
}
