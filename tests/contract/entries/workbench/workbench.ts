// Rule sets: versions, drafts, reviews, the bundle in force, files and the audit of writes.

import type { DraftState } from '#backoffice/workbench/enums.ts';
import { newId } from '#core/platform/ids.ts';
import { canonicalHash, canonicalJson, sha256Hex } from '#core/platform/pure/canonical-json.ts';
import { buildSuperAdmin } from '../../../harness/factories.ts';
import { shippedVersion } from '../../../harness/rules.ts';
import { type Caller, callers } from '../../operations/access.ts';
import type { Aim, Entries, Entry } from '../../requests/entry.ts';
import { activatedVersion, benchmark, newestVersion, nextVersion, reworded } from '../../rows/rule-versions.ts';

/** No stored result depends on it, so an approval needs no impact report. */
const trend = { family: 'cbm', key: 'trend' };
/** Thresholds of pattern sub-flags belong to the skill-status engine and are validated quickly. */
const subflag = { family: 'subflag', key: 'subflag' };

const trendFacts = { monitoringPoints: 3, aimLine: true, lastBelow: 0, slopeGap: 0 };

/**
 * Creates a draft of the trend rules by another SUPER administrator than the caller, with other reasons than its base.
 */
async function draftIn(state: DraftState, { app: { database, clock } }: Aim) {
  const { owner } = database;
  const base = await newestVersion(owner, trend);
  const document = canonicalJson(reworded(base));
  const author = await buildSuperAdmin(owner);
  const now = clock.now();
  const row = {
    ...{ id: newId(), ...trend, baseVersion: base.version, state, document, sha256: sha256Hex(document) },
    ...{ cases: '[]', level: 'patch', quorum: state === 'in_review' ? 1 : null },
    ...{ authorUserId: author.id, createdAt: now, updatedAt: now },
  };
  const [{ etag }] = await owner('rule_draft').insert(row).returning('etag');
  return { ...row, etag, params: { ...trend, draftId: row.id } };
}

type Draft = Awaited<ReturnType<typeof draftIn>>;

/** Without `body`, the request has none. */
const onDraft = (state: DraftState, body?: (draft: Draft) => object): Entry => ({
  request: async (aim) => {
    const draft = await draftIn(state, aim);
    return { params: draft.params, ...(body && { body: body(draft) }) };
  },
});

const statusFor: Partial<Record<Caller, number>> = { SUPER: 200, nobody: 401 };
/** The reach is about texts, not people: each of these texts has another author. */
const reviewed = { expect: Object.fromEntries(callers.map((caller) => [caller, statusFor[caller] ?? 403])) };

const draftEntries: Entries = {
  listRuleDrafts: {},
  createRuleDraft: {
    request: async ({ app }) => ({
      params: trend,
      body: { baseVersion: (await newestVersion(app.database.owner, trend)).version },
    }),
  },
  getRuleDraft: onDraft('draft'),
  replaceRuleDraft: {
    request: async (aim) => {
      const { params, document, etag } = await draftIn('draft', aim);
      return { params, body: { document: JSON.parse(document) }, headers: { 'if-match': `"${etag}"` } };
    },
  },
  deleteRuleDraft: onDraft('draft'),
  validateRuleDraft: onDraft('draft', () => ({})),
  diffRuleDraft: onDraft('draft'),
  tryRuleDraft: onDraft('draft', () => ({ facts: trendFacts })),
  submitRuleDraft: onDraft('validated', () => ({ quorum: 1 })),
  approveRuleDraft: { ...onDraft('in_review', ({ sha256 }) => ({ sha256 })), ...reviewed },
  declineRuleDraft: { ...onDraft('in_review', () => ({ reason: 'needs_cases' })), ...reviewed },
  withdrawRuleDraft: onDraft('in_review', () => ({})),
  publishSseRuleVersion: {
    request: async ({ app }) => {
      const base = await newestVersion(app.database.owner, subflag);
      return { body: { ...subflag, baseVersion: base.version, document: reworded(base), cases: [] } };
    },
  },
};

const versionEntries: Entries = {
  listRuleSets: {},
  listRuleVersions: { request: () => ({ params: trend }) },
  getRuleVersion: { request: () => ({ params: { ...trend, version: 1 } }) },
  tryRuleVersion: { request: () => ({ params: { ...trend, version: 'active' }, body: { facts: trendFacts } }) },
};

const activationEntries: Entries = {
  listRuleBundles: {},
  activateRuleVersion: {
    request: async ({ app }) => ({
      params: { ...benchmark, version: await nextVersion(app.database.owner, benchmark) },
      body: { reason: 'evidence_update' },
    }),
  },
  activateRuleBundle: {
    request: async ({ app }) => {
      const version = await nextVersion(app.database.owner, benchmark);
      return { body: { versions: { [`${benchmark.family}/${benchmark.key}`]: version }, reason: 'policy_change' } };
    },
  },
  rollbackRuleSet: {
    request: async ({ app }) => {
      await activatedVersion(app, benchmark);
      return {
        params: benchmark,
        body: { toVersion: shippedVersion(`${benchmark.family}/${benchmark.key}`), reason: 'defect_found' },
      };
    },
  },
};

const transferEntries: Entries = {
  exportRuleSets: {},
  importRuleSets: {
    request: async ({ app }) => {
      const { version, document } = await newestVersion(app.database.owner, benchmark);
      const head = { ...benchmark, version, sha256: canonicalHash(document), goldenSha256: null };
      const documents = [{ ...head, document, cases: [] }];
      return { body: { format: 'literacy-rules@1', bundleId: newId(), documents } };
    },
  },
};

export const workbenchEntries: Entries = {
  ...draftEntries,
  ...versionEntries,
  ...activationEntries,
  ...transferEntries,
  listRuleAudit: {},
};
