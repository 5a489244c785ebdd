// The one door to published blueprints: the next version of each code, and the one before is superseded.
import type { Trx } from '#core/platform/db.ts';
import { newId } from '#core/platform/ids.ts';
import { insertRows, rowsOf } from '#core/platform/sql.ts';
import type { Blueprint } from '../schemas.ts';

/** A blueprint with the hash of what it says. */
export interface HashedBlueprint {
  readonly content: Blueprint;
  readonly hash: string;
}

export interface PublishedVersion {
  readonly blueprintCode: string;
  readonly version: number;
  readonly contentHash: string;
  /** It came with a release. */
  readonly shipped: boolean;
}

export interface Published {
  readonly published: readonly {
    readonly blueprintId: string;
    readonly blueprintCode: string;
    readonly version: number;
  }[];
  readonly skipped: readonly string[];
}

/** Of each code the version in force. */
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

/** So many rows go into one statement, which has to end within its time. */
const portion = 200;

/** The imports have to be locked. What says the same as the version in force is skipped. */
export async function publish(
  trx: Trx,
  batchId: string,
  blueprints: readonly HashedBlueprint[],
  now: Date,
): Promise<Published> {
  const codes = blueprints.map(({ content }) => content.blueprintCode);
  const active = await activeVersions(trx, codes);
  const isNew = ({ content, hash }: HashedBlueprint) => active.get(content.blueprintCode)?.contentHash !== hash;
  const rows = blueprints.filter(isNew).map(({ content: { bundle_id: bundleId, ...content }, hash }) => ({
    ...{ id: newId(), ...content, bundleId, batchId, state: 'active', contentHash: hash, publishedAt: now },
    version: (active.get(content.blueprintCode)?.version ?? 0) + 1,
  }));
  const published = rows.map(({ id: blueprintId, blueprintCode, version }) => ({
    blueprintId,
    blueprintCode,
    version,
  }));
  await trx('session_blueprint')
    .where({ state: 'active' })
    .whereRaw('blueprint_code = any (?)', [published.map(({ blueprintCode }) => blueprintCode)])
    .update({ state: 'superseded' });
  for (let at = 0; at < rows.length; at += portion) {
    await insertRows(trx, 'session_blueprint', rows.slice(at, at + portion));
  }
  const skipped = blueprints.filter((one) => !isNew(one)).map(({ content }) => content.blueprintCode);
  return { published, skipped };
}
