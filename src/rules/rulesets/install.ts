// Installs the shipped rule documents into the database, once. A stored shipped version that differs from its file
// stops the start; families that a release adds join the bundle in force.

import type { Trx } from '#core/platform/db.ts';
import { canonicalJson, sha256Hex } from '#core/platform/pure/canonical-json.ts';
import { appendActivation, type LockedTimeline, lockActivations, type Versions } from './activations.ts';
import { type DocumentName, documentName } from './engine/document/document.ts';
import { installReason } from './enums.ts';
import type { LoadedRule } from './files.ts';
import { RuleVersion } from './rows.ts';

/**
 * Installs the rules, once even when two processes start together. Returns the shipped versions whose numbers the
 * backoffice used for its own texts: those of the database stay.
 */
export async function installRules(trx: Trx, rules: readonly LoadedRule[], now: Date): Promise<string[]> {
  const timeline = await lockActivations(trx, { now: () => now });
  const refused = await publishMissing(trx, rules, timeline.moment);
  await activateMissing(trx, rules, timeline);
  return refused;
}

interface StoredVersion {
  readonly id: string;
  readonly sha256: string;
  readonly authorUserId: number | null;
}

/** Publishes missing versions. A number that the backoffice used first keeps its text, and its id is returned. */
async function publishMissing(trx: Trx, rules: readonly LoadedRule[], now: Date): Promise<string[]> {
  const stored: StoredVersion[] = await RuleVersion.query(trx).select('id', 'sha256', 'authorUserId');
  const known = new Map(stored.map((version) => [version.id, version]));
  const differing = rules.filter(({ id, sha256 }) => {
    const version = known.get(id);
    return version !== undefined && version.sha256 !== sha256;
  });
  const altered = differing.find(({ id }) => known.get(id)?.authorUserId === null);
  if (altered) throw new Error(`${altered.id} in rules/ differs from the published version in the database.`);
  const missing = rules.filter(({ id }) => !known.has(id));
  if (missing.length > 0) await RuleVersion.query(trx).insert(missing.map((rule) => versionRow(rule, now)));
  return differing.map(({ id }) => id);
}

function versionRow({ document, sha256, cases }: LoadedRule, now: Date) {
  const casesText = cases.length === 0 ? null : canonicalJson({ cases });
  const { family, key, version } = document.meta;
  return {
    family,
    key,
    version,
    document: canonicalJson(document),
    sha256,
    cases: casesText,
    goldenSha256: casesText === null ? null : sha256Hex(casesText),
    publishedAt: now.toISOString(),
  };
}

async function activateMissing(trx: Trx, rules: readonly LoadedRule[], timeline: LockedTimeline): Promise<void> {
  const { current } = timeline;
  const known = await everPinned(trx);
  const added = Object.entries(newestVersions(rules)).filter(([name]) => !known.has(name));
  if (added.length === 0) return;
  const reason = Object.keys(current).length === 0 ? installReason : 'scheduled_release';
  const versions = { ...Object.fromEntries(added), ...current };
  await appendActivation(trx, { versions, kind: 'install', reason, activatedBy: null, approvedBy: [] }, timeline);
}

/** Returns all documents that were ever in force: one that was deactivated stays out when a release ships it. */
async function everPinned(trx: Trx): Promise<Set<string>> {
  const rows: { name: string }[] = await trx('rule_bundle as b')
    .join('rule_activation as a', 'a.bundleId', 'b.id')
    .distinct(trx.raw('jsonb_object_keys(b.versions) as name'));
  return new Set(rows.map(({ name }) => name));
}

function newestVersions(rules: readonly LoadedRule[]): Versions {
  const newest: Record<DocumentName, number> = {};
  for (const { document } of rules) {
    const name = documentName(document);
    newest[name] = Math.max(newest[name] ?? 0, document.meta.version);
  }
  return newest;
}
