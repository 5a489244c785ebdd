// A batch that somebody brings in: judged where no transaction is open, then kept for another person to approve.
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { canonicalHash } from '#core/platform/pure/canonical-json.ts';
import { type BatchRow, insertBatch, lockBatches, supersedeWaiting } from '../rows/batches.ts';
import { activeVersions } from '../rows/publish.ts';
import type { ImportBody } from '../schemas.ts';
import { blueprintsIn } from './body.ts';
import { type JudgedBatch, judgeBatch } from './judge.ts';

/** Throws as `blueprintsIn`; what it answers throws as `judgeBatch`. */
export async function prepareImport(
  { rules }: Pick<Services, 'rules'>,
  trx: Trx,
  body: ImportBody,
  now: Date,
): Promise<() => Promise<JudgedBatch>> {
  const blueprints = blueprintsIn(body);
  const { rules: bundle } = await rules.at(trx, now);
  const published = await activeVersions(
    trx,
    blueprints.map(({ blueprintCode }) => blueprintCode),
  );
  return () => judgeBatch(bundle, blueprints, published);
}

/** Warnings do not keep a batch from being approved. What waits under the same code gives way, to a batch with errors too. */
export async function createImport(
  { clock }: Pick<Services, 'clock'>,
  trx: Trx,
  { batchCode }: Pick<ImportBody, 'batchCode'>,
  { report, blueprints }: JudgedBatch,
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
