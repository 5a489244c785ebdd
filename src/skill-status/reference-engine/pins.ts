// Tables that were found to disagree with the oracle are answered by the oracle, until they agree again.
import type { Trx } from '../../platform/db.ts';
import type { RuleBundle } from '../../rulesets/index.ts';
import type { Pipeline } from '../engine/evaluate.ts';
import { pipelineOf } from '../rules/pipelines.ts';
import { withOracle } from './evaluation.ts';

/**
 * Does the work with the rules of a bundle, pinned documents answered by the oracle. Where one is, the work may be done
 * several times, with provisional answers before the last one, and so must not write.
 */
export async function withPins<T>(
  trx: Trx,
  bundle: RuleBundle,
  work: (pipeline: Pipeline, isPinned: boolean) => Promise<T>,
): Promise<T> {
  return withTheirPins(bundle, await oraclePins(trx), work);
}

/** The same, with the pins (`ssr/ssr@1`) that were read before. */
export async function withTheirPins<T>(
  bundle: RuleBundle,
  pinned: ReadonlySet<string>,
  work: (pipeline: Pipeline, isPinned: boolean) => Promise<T>,
): Promise<T> {
  const isPinned = Object.entries(bundle.versions).some(([name, version]) => pinned.has(`${name}@${version}`));
  if (!isPinned) return work(pipelineOf(bundle), false);
  return withOracle(bundle, pinned, (pipeline) => work(pipeline, true));
}

/** Ids (`ssr/ssr@1`) of the documents that are pinned to the oracle today; mostly none. */
export async function oraclePins(trx: Trx): Promise<ReadonlySet<string>> {
  const rows: { documentId: string; pinned: boolean }[] = await trx('rule_oracle_pin')
    .distinctOn('documentId')
    .orderBy([{ column: 'documentId' }, { column: 'id', order: 'desc' }])
    .select('documentId', 'pinned');
  return new Set(rows.filter(({ pinned }) => pinned).map(({ documentId }) => documentId));
}
