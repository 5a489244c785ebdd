// The single writer of published blueprints: inserts the next version of each code and supersedes the previous one.

import type { Trx } from '#core/platform/db.ts';
import { newId } from '#core/platform/ids.ts';
import { modelOf } from '#core/platform/model.ts';
import { insertRows, rowsOf } from '#core/platform/sql.ts';
import type { Blueprint } from '../schemas.ts';

/** A blueprint with the hash of its content. */
export interface HashedBlueprint {
  readonly content: Blueprint;
  readonly hash: string;
}

export interface PublishedVersion {
  readonly blueprintCode: string;
  readonly version: number;
  readonly contentHash: string;
  /** True when the version came with a release. */
  readonly shipped: boolean;
}

export interface PublishedBatch {
  readonly published: readonly {
    readonly blueprintId: string;
    readonly blueprintCode: string;
    readonly version: number;
  }[];
  readonly skipped: readonly string[];
}

/** Returns the active version of each code. */
export async function activeVersions(
  trx: Trx,
  codes: readonly string[],
): Promise<ReadonlyMap<string, PublishedVersion>> {
  const rows = await rowsOf<PublishedVersion>(
    trx,
    `select b.blueprint_code, b.version, b.content_hash, i.imported_by is null as shipped
     from session_blueprint b join blueprint_batch i on i.id = b.batch_id
     where b.state = 'active' and b.blueprint_code = any (:codes)`,
    { codes },
  );
  return new Map(rows.map((row) => [row.blueprintCode, row]));
}

const SessionBlueprint = modelOf<{
  readonly id: string;
  readonly blueprintCode: string;
  readonly state: 'active' | 'superseded';
}>('session_blueprint');

/** Rows per insert statement, limited by the statement timeout. */
const chunkSize = 200;

/** Publishes blueprints; those with the content of the active version are skipped. The caller holds the lock of imports. */
export async function publishBlueprints(
  trx: Trx,
  batchId: string,
  blueprints: readonly HashedBlueprint[],
  now: Date,
): Promise<PublishedBatch> {
  const codes = blueprints.map(({ content }) => content.blueprintCode);
  const active = await activeVersions(trx, codes);
  const isNew = ({ content, hash }: HashedBlueprint) => active.get(content.blueprintCode)?.contentHash !== hash;
  const rows = blueprints.filter(isNew).map(({ content: { bundle_id: bundleId, ...content }, hash }) => ({
    id: newId(),
    ...content,
    form: content.form ?? 'A',
    bundleId,
    batchId,
    state: 'active',
    contentHash: hash,
    publishedAt: now,
    version: (active.get(content.blueprintCode)?.version ?? 0) + 1,
  }));
  const published = rows.map(({ id: blueprintId, blueprintCode, version }) => ({
    blueprintId,
    blueprintCode,
    version,
  }));
  await SessionBlueprint.query(trx)
    .where({ state: 'active' })
    .whereRaw('blueprint_code = any (?)', [published.map(({ blueprintCode }) => blueprintCode)])
    .update({ state: 'superseded' });
  for (let at = 0; at < rows.length; at += chunkSize) {
    await insertRows(trx, 'session_blueprint', rows.slice(at, at + chunkSize));
  }
  const skipped = blueprints.filter((one) => !isNew(one)).map(({ content }) => content.blueprintCode);
  return { published, skipped };
}
