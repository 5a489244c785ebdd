// Exports a whole bundle as one file: every document with its cases and hashes, for the import by another service.

import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { notFound } from '#core/platform/errors.ts';
import { ownAddress } from '#identity/people/index.ts';
import { type RuleDocument, RuleVersion, StoredBundle, type Versions } from '#rules/rulesets/index.ts';
import { casesOf, type VersionRow, versionDocumentOf } from '../published/store.ts';

export const bundleFormat = 'literacy-rules@1';

/** Exports the bundle in force, or an earlier one by its id. Throws NOT_FOUND. */
export async function exportBundle(
  { rules, config }: Pick<Services, 'rules' | 'config'>,
  trx: Trx,
  wanted: string | undefined,
  now: Date,
) {
  const bundleId = wanted ?? (await rules.at(trx, now)).bundleId;
  const bundle: { versions: Versions } | undefined = await StoredBundle.query(trx)
    .where({ id: bundleId })
    .select('versions')
    .first();
  if (!bundle) throw notFound();
  const ids = Object.entries(bundle.versions).map(([name, version]) => `${name}@${version}`);
  const rows: VersionRow[] = await RuleVersion.query(trx).whereIn('id', ids).orderBy(['family', 'key']);
  return { format: bundleFormat, bundleId, service: ownAddress(config), documents: rows.map(exported) } as const;
}

const exported = (row: VersionRow) => ({
  family: row.family,
  key: row.key,
  version: row.version,
  sha256: row.sha256,
  goldenSha256: row.goldenSha256,
  document: versionDocumentOf(row) as RuleDocument,
  cases: [...casesOf(row)],
});
