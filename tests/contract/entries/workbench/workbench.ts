// Rule sets: versions, changes, reviews, the bundle in force, files and the audit of writes.

import type { ChangeState } from '#backoffice/workbench/enums.ts';
import { newId } from '#core/platform/ids.ts';
import { canonicalHash } from '#core/platform/pure/canonical-json.ts';
import type { RuleDocument } from '#rules/rulesets/index.ts';
import { buildChange } from '../../../harness/changes.ts';
import { type Caller, callers } from '../../operations/access.ts';
import type { Aim, Entries, Entry } from '../../requests/entry.ts';
import { benchmark, newestVersion, nextVersion, putInForce, reworded } from '../../rows/rule-versions.ts';

/** No stored result depends on it, so an approval needs no impact report. */
const trend = { family: 'cbm', key: 'trend' };
/** Thresholds of pattern sub-flags belong to the skill-status engine and are validated quickly. */
const subflag = { family: 'subflag', key: 'subflag' };

const trendFacts = { monitoringPoints: 3, aimLine: true, lastBelow: 0, slopeGap: 0 };

/** Creates a change of the trend rules by another SUPER administrator than the caller, with other reasons than its base. */
async function changeIn(state: ChangeState, { app: { database, clock } }: Aim) {
  const base = await newestVersion(database.owner, trend);
  const documents = [reworded(base) as unknown as RuleDocument];
  const { id, sha256 } = await buildChange(database.owner, { documents, state, at: clock.now() });
  return { changeId: id, sha256, document: documents[0] };
}

type Change = Awaited<ReturnType<typeof changeIn>>;

interface Sent {
  readonly params?: object;
  readonly body?: object;
  readonly headers?: Record<string, string>;
}

/** Without `sent`, the request has neither body nor headers. */
const onChange = (
  state: ChangeState,
  sent: (change: Change, aim: Aim) => Sent | Promise<Sent> = () => ({}),
): Entry => ({
  request: async (aim) => {
    const change = await changeIn(state, aim);
    const { params, ...rest } = await sent(change, aim);
    return { params: { changeId: change.changeId, ...params }, ...rest };
  },
});

/** The ETag of the change. */
const seen = ({ sha256 }: Change) => ({ 'if-match': `"${sha256}"` });
/** The ETag of its document. */
const seenText = ({ document }: Change) => ({ 'if-match': `"${canonicalHash(document)}-none"` });

const statusFor: Partial<Record<Caller, number>> = { SUPER: 200, nobody: 401 };
/** The reach is about texts, not people: each of these texts has another author. */
const reviewed = { expect: Object.fromEntries(callers.map((caller) => [caller, statusFor[caller] ?? 403])) };

/** A change that was published by the hand of the owner, with its version. */
async function publishedChange(aim: Aim) {
  const { owner } = aim.app.database;
  const { version, document } = await newestVersion(owner, benchmark);
  const next = reworded({ version, document }) as unknown as RuleDocument;
  await nextVersion(owner, benchmark);
  const { id } = await buildChange(owner, { documents: [next], state: 'published', at: aim.app.clock.now() });
  return { changeId: id, pins: { [`${benchmark.family}/${benchmark.key}`]: version + 1 } };
}

const changeEntries: Entries = {
  listRuleChanges: {},
  createRuleChange: { request: () => ({ body: { title: 'Fewer points', documents: [trend] } }) },
  getRuleChange: onChange('draft'),
  updateRuleChange: onChange('draft', (change) => ({ body: { why: 'It is clearer.' }, headers: seen(change) })),
  deleteRuleChange: onChange('draft', (change) => ({ headers: seen(change) })),
  getChangeDocument: onChange('draft', () => ({ params: trend })),
  putChangeDocument: onChange('draft', (change) => ({
    params: trend,
    body: { document: change.document, cases: [] },
    headers: seenText(change),
  })),
  removeChangeDocument: onChange('draft', (change) => ({ params: trend, headers: seenText(change) })),
  setChangeConstant: onChange('draft', (change) => ({
    params: { constantId: 'CBM-MIN-01' },
    body: { value: 4 },
    headers: seen(change),
  })),
  checkRuleChange: onChange('draft', () => ({ body: {} })),
  examineRuleChange: onChange('draft', () => ({ body: { documents: [] } })),
  acceptChangeCases: {
    request: async (aim) => {
      const change = await changeIn('validated', aim);
      const proposed = { name: 'a new case', facts: trendFacts, expected: { ruleId: 'CBM-01', outcome: 'none' } };
      const finding = { ...trend, level: 'warning', code: 'CASE_FAILED', ruleIds: [], message: '' };
      const findings = JSON.stringify([{ ...finding, proposedCases: [proposed] }]);
      await aim.app.database.owner('rule_change').where({ id: change.changeId }).update({ findings });
      const body = { cases: [{ ...trend, name: proposed.name }], acceptedChange: 'it is so' };
      return { params: { changeId: change.changeId }, body, headers: seen(change) };
    },
  },
  diffRuleChange: onChange('draft'),
  tryRuleChange: onChange('draft', () => ({ body: { ...trend, facts: trendFacts } })),
  submitRuleChange: onChange('validated', () => ({ body: { quorum: 1 } })),
  approveRuleChange: { ...onChange('in_review', ({ sha256 }) => ({ body: { sha256 } })), ...reviewed },
  returnRuleChange: { ...onChange('in_review', () => ({ body: {} })), ...reviewed },
  declineRuleChange: { ...onChange('in_review', () => ({ body: { reason: 'needs_cases' } })), ...reviewed },
  withdrawRuleChange: onChange('in_review', () => ({ body: {} })),
  listChangeComments: onChange('draft'),
  addChangeComment: onChange('draft', () => ({ body: { text: 'Why so few?', on: trend } })),
  getChangeRebase: onChange('draft'),
  rebaseRuleChange: onChange('draft', (change) => ({ body: { take: [] }, headers: seen(change) })),
  activateRuleChange: {
    request: async (aim) => ({
      params: { changeId: (await publishedChange(aim)).changeId },
      body: { reason: 'evidence_update' },
    }),
  },
  rollbackRuleChange: {
    request: async (aim) => {
      const { changeId, pins } = await publishedChange(aim);
      await putInForce(aim.app, pins, changeId);
      return { params: { changeId }, body: { reason: 'defect_found' } };
    },
  },
  listRuleConstants: {},
  getRuleConstant: { request: () => ({ params: { constantId: 'CBM-MIN-01' } }) },
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
  activateRuleBundle: {
    request: async ({ app }) => {
      const version = await nextVersion(app.database.owner, benchmark);
      return { body: { versions: { [`${benchmark.family}/${benchmark.key}`]: version }, reason: 'policy_change' } };
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
  ...changeEntries,
  ...versionEntries,
  ...activationEntries,
  ...transferEntries,
  listRuleAudit: {},
};
