// Brings the shipped rule documents into the database, once. A published version that differs from its file stops the
// start; families that a new release adds join the bundle in force.

import type { Trx } from '../platform/db.ts';
import { canonicalHash, canonicalJson, sha256Hex } from '../platform/pure/canonical-json.ts';
import { activationAt, appendActivation, holdActivations, type Versions } from './activations.ts';
import { type DocumentName, documentName } from './engine/document.ts';
import type { LoadedRule } from './files.ts';

/** Two processes that start at once do it once. */
export async function installRules(trx: Trx, rules: readonly LoadedRule[], now: Date): Promise<void> {
  await holdActivations(trx);
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
  const current = (await activationAt(trx, now))?.versions;
  const shipped = newestVersions(rules);
  const added = Object.keys(shipped).some((name) => !Object.hasOwn(current ?? {}, name));
  if (!added) return;
  const reason = current === undefined ? 'initial' : 'scheduled_release';
  const versions = { ...shipped, ...current };
  await appendActivation(trx, { versions, kind: 'install', reason, activatedBy: null, approvedBy: [] }, now);
}

function newestVersions(rules: readonly LoadedRule[]): Versions {
  const newest: Record<DocumentName, number> = {};
  for (const { document } of rules) {
    const name = documentName(document);
    newest[name] = Math.max(newest[name] ?? 0, document.meta.version);
  }
  return newest;
}
