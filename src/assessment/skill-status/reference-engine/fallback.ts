// The fallback: tables that disagree with the reference engine are answered by it until both agree again.

import type { Trx } from '#core/platform/db.ts';
import { modelOf } from '#core/platform/model.ts';
import type { Facts, RuleBundle } from '#rules/rulesets/index.ts';
import type { Pipeline } from '../engine/evaluate.ts';
import { pipelineOf } from '../rules/pipelines.ts';
import { withReferenceEngine } from './evaluation.ts';

/**
 * Does the work with the rules of a bundle, in which the reference engine answers for documents on the fallback. With
 * such a document the work may run several times, with provisional answers before the last run, so it must not write.
 */
export async function withEngineOrFallback<T>(
  trx: Trx,
  bundle: RuleBundle,
  work: (pipeline: Pipeline, needsReference: boolean) => Promise<T>,
): Promise<T> {
  return withFallback(bundle, await tablesOnFallback(trx), work);
}

/** Does the work as above with the ids of the documents on the fallback (`ssr/ssr@1`) that the caller has read. */
export async function withFallback<T>(
  bundle: RuleBundle,
  onFallback: ReadonlySet<string>,
  work: (pipeline: Pipeline, needsReference: boolean) => Promise<T>,
): Promise<T> {
  const needsReference = Object.entries(bundle.versions).some(([name, version]) =>
    onFallback.has(`${name}@${version}`),
  );
  if (!needsReference) return work(pipelineOf(bundle), false);
  return withReferenceEngine(bundle, onFallback, (pipeline) => work(pipeline, true));
}

interface FallbackRow {
  readonly id: number;
  /** `ssr/ssr@1` */
  readonly documentId: string;
  readonly onFallback: boolean;
  /** The facts of a disagreement; all of them for a release. */
  readonly facts: Facts | readonly Facts[];
  readonly at: string;
}

export const EngineFallback = modelOf<FallbackRow>('rule_engine_fallback', { json: ['facts'] });

/** Returns the ids (`ssr/ssr@1`) of the documents on the fallback; usually none. */
export async function tablesOnFallback(trx: Trx): Promise<ReadonlySet<string>> {
  const rows: { documentId: string; onFallback: boolean }[] = await EngineFallback.query(trx)
    .distinctOn('documentId')
    .orderBy([{ column: 'documentId' }, { column: 'id', order: 'desc' }])
    .select('documentId', 'onFallback');
  return new Set(rows.filter(({ onFallback }) => onFallback).map(({ documentId }) => documentId));
}
