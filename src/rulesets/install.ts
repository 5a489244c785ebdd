// Brings the shipped rule documents into the database, once. A published version that differs from its file stops the
// start; families that a new release adds join the bundle in force.

import type { Trx } from '../platform/db.ts';
import { newId } from '../platform/ids.ts';
import { canonicalHash, canonicalJson, sha256Hex } from '../platform/pure/canonical-json.ts';
import { type DocumentName, documentName } from './engine/document.ts';
import type { LoadedRule } from './files.ts';

type Versions = Readonly<Record<DocumentName, number>>;

/** Held while documents are installed, so that two processes that start at once do it once. */
const installLock = 4_170_223;

export async function installRules(trx: Trx, rules: readonly LoadedRule[], now: Date): Promise<void> {
  await trx.raw('select pg_advisory_xact_lock(?)', [installLock]);
  await publishMissing(trx, rules, now);
  await activateMissing(trx, rules, now);
}

async function publishMissing(trx: Trx, rules: readonly LoadedRule[], now: Date): Promise<void> {
  const stored: { family: string; key: string; version: number; sha256: string }[] = await trx('rule_version').select(
    'family',
    'key',
    'version',
    'sha256',
  );
  const known = new Map(stored.map(({ family, key, version, sha256 }) => [`${family}/${key}@${version}`, sha256]));
  for (const { id, document } of rules) {
    const sha256 = known.get(id);
    if (sha256 !== undefined && sha256 !== canonicalHash(document)) {
      throw new Error(`${id} in rules/ differs from the published version in the database.`);
    }
  }
  const missing = rules.filter(({ id }) => !known.has(id));
  if (missing.length > 0) await trx('rule_version').insert(missing.map((rule) => versionRow(rule, now)));
}

function versionRow({ document, cases }: LoadedRule, now: Date) {
  const text = canonicalJson(document);
  const casesText = cases.length === 0 ? null : canonicalJson({ cases });
  const { family, key, version } = document.meta;
  return {
    family,
    key,
    version,
    document: text,
    sha256: sha256Hex(text),
    cases: casesText,
    goldenSha256: casesText === null ? null : sha256Hex(casesText),
    publishedAt: now,
  };
}

async function activateMissing(trx: Trx, rules: readonly LoadedRule[], now: Date): Promise<void> {
  const current = await currentVersions(trx, now);
  const shipped = newestVersions(rules);
  const added = Object.keys(shipped).some((name) => !Object.hasOwn(current ?? {}, name));
  if (!added) return;
  const bundleId = newId();
  await trx('rule_bundle').insert({
    id: bundleId,
    versions: JSON.stringify({ ...shipped, ...current }),
    createdAt: now,
  });
  const reason = current === undefined ? 'initial' : 'scheduled_release';
  await trx('rule_activation').insert({ bundleId: bundleId, activeFrom: now, reason, createdAt: now });
}

async function currentVersions(trx: Trx, now: Date): Promise<Versions | undefined> {
  const row: { versions: Versions } | undefined = await trx('rule_activation as a')
    .join('rule_bundle as b', 'b.id', 'a.bundleId')
    .where('a.activeFrom', '<=', now)
    .orderBy([
      { column: 'a.activeFrom', order: 'desc' },
      { column: 'a.id', order: 'desc' },
    ])
    .first('b.versions');
  return row?.versions;
}

function newestVersions(rules: readonly LoadedRule[]): Versions {
  const newest: Record<DocumentName, number> = {};
  for (const { document } of rules) {
    const name = documentName(document);
    newest[name] = Math.max(newest[name] ?? 0, document.meta.version);
  }
  return newest;
}
