// Rule sets: their versions, drafts and how these are judged, what is in force, files and the record of writes.

import type { DraftState } from '#backoffice/workbench/enums.ts';
import { newId } from '#core/platform/ids.ts';
import { canonicalHash, canonicalJson, sha256Hex } from '#core/platform/pure/canonical-json.ts';
import { buildSuperAdmin } from '../../../harness/factories.ts';
import { shippedVersion } from '../../../harness/rules.ts';
import { type Caller, callers } from '../../operations/access.ts';
import type { Aim, Entries, Entry } from '../../requests/entry.ts';
import { activatedVersion, benchmark, newestVersion, nextVersion, reworded } from '../../rows/rule-versions.ts';

/** Judged by nobody's children: an approval needs no report of a impact simulation. */
const trend = { family: 'cbm', key: 'trend' };
/** Thresholds of pattern subflags: of the skill-status engine, and quickly examined. */
const subflag = { family: 'subflag', key: 'subflag' };

const trendFacts = { monitoringPoints: 3, aimLine: true, lastBelow: 0, slopeGap: 0 };

/** A draft of the trend rules by another SUPER admin than the caller, its reasons in other words than its base's. */
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

/** Without `body`, the request sends none. */
const onDraft = (state: DraftState, body?: (draft: Draft) => object): Entry => ({
  request: async (aim) => {
    const draft = await draftIn(state, aim);
    return { params: draft.params, ...(body && { body: body(draft) }) };
  },
});

const statusFor: Partial<Record<Caller, number>> = { SUPER: 200, nobody: 401 };
/** The reach is of texts and not of people: each of these is somebody else's text. */
const judged = { expect: Object.fromEntries(callers.map((caller) => [caller, statusFor[caller] ?? 403])) };

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
  approveRuleDraft: { ...onDraft('in_review', ({ sha256 }) => ({ sha256 })), ...judged },
  declineRuleDraft: { ...onDraft('in_review', () => ({ reason: 'needs_cases' })), ...judged },
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
