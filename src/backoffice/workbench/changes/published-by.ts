// Which change has published a version.
import type { Trx } from '#core/platform/db.ts';

/** Returns the ids of changes by version id; versions of a release, or of a route of their own, have none. */
export async function changesOfVersions(
  trx: Trx,
  versions: readonly { readonly family: string; readonly key: string; readonly version: number }[],
): Promise<ReadonlyMap<string, string>> {
  if (versions.length === 0) return new Map();
  const rows: { id: string; changeId: string }[] = await trx('rule_version as v')
    .join('rule_change_document as d', (join) =>
      join
        .on('d.family', 'v.family')
        .andOn('d.key', 'v.key')
        .andOn('d.version', 'v.version')
        .andOn('d.sha256', 'v.sha256'),
    )
    .join('rule_change as c', (join) => join.on('c.id', 'd.changeId').andOnVal('c.state', 'published'))
    .whereIn(
      ['v.family', 'v.key', 'v.version'],
      versions.map(({ family, key, version }) => [family, key, version]),
    )
    .select('v.id', 'd.changeId');
  return new Map(rows.map(({ id, changeId }) => [id, changeId]));
}
