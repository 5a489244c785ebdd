// Rows that the run-time role may write only under the right name and with the right approvals: as SQL that any person who
// has its connection could send.
import type { Trx } from '#core/platform/db.ts';
import { newId } from '#core/platform/ids.ts';
import { canonicalJson, sha256Hex } from '#core/platform/pure/canonical-json.ts';
import { platformOrganizationId } from '#core/platform/pure/platform-organization.ts';
import type { TestApp } from '../../../harness/http.ts';
import { shippedVersion } from '../../../harness/rules.ts';
import { type Backoffice, buildBackoffice, type Json, nextVersion, takeDraft } from '../backoffice.ts';

const now = new Date('2026-01-12T08:00:00.000Z');
const shipped = shippedVersion('cbm/trend');

export interface Reviewed {
  readonly office: Backoffice;
  /** In review with a quorum of two: written by the author, edited by the editor, approved by the approver. */
  readonly draft: Json & { id: string };
  readonly address: string;
}

export async function buildReviewed(app: TestApp): Promise<Reviewed> {
  const { owner } = app.database;
  const office = await buildBackoffice(app);
  const document = await nextVersion(owner, 'cbm/trend', { 'CBM-MIN-01': 5 });
  const taken = await takeDraft(office, 'cbm/trend', document, { baseVersion: shipped, quorum: 2, upTo: 'submit' });
  const { status } = await office.approver.post(`${taken.address}/approve`, { sha256: taken.sha256 });
  if (status !== 200) throw new Error(`the first approval was answered ${status}`);
  return { office, address: taken.address, draft: await owner('rule_draft').where({ id: taken.draftId }).first() };
}

/** Each answers what is to be run; `reviewed` is asked for when it is. */
export function rowsAbout(reviewed: () => Reviewed) {
  return {
    version: (change: Json = {}) => {
      const { draft, office } = reviewed();
      const { family, key, document, sha256, authorUserId, editorUserIds } = draft;
      const row = {
        family,
        key,
        version: shipped + 1,
        document,
        sha256,
        authorUserId,
        editorUserIds,
        publishedAt: now,
      };
      return (trx: Trx) =>
        trx('rule_version').insert({ ...row, approvedBy: [office.approver.id, office.secondApprover.id], ...change });
    },
    approval: (userId: number, change: Json = {}) => {
      const { id: draftId, sha256, etag, quorum, submission } = reviewed().draft;
      return (trx: Trx) =>
        trx('rule_approval').insert({ draftId, userId, sha256, etag, quorum, submission, at: now, ...change });
    },
    activation:
      (change: Json = {}, pins?: Json) =>
      async (trx: Trx) => {
        const { versions } = await trx('rule_bundle').first();
        const bundleId = newId();
        await trx('rule_bundle').insert({ id: bundleId, versions: JSON.stringify(pins ?? versions), createdAt: now });
        const activatedBy = reviewed().office.author.id;
        const row = { bundleId, activeFrom: now, kind: 'activate', reason: 'defect_fix', activatedBy };
        await trx('rule_activation').insert({ ...row, approvedBy: [], createdAt: now, ...change });
      },
    auditEntry: (actorUserId: number) => (trx: Trx) =>
      trx('audit_entry').insert({
        ...{ organizationId: platformOrganizationId, at: now, actorUserId, operation: 'test', requestId: 'test' },
        entity: 'rule_draft',
        ...{ entityId: reviewed().draft.id, action: 'update', changedFields: ['state'] },
      }),
    ...simpleRows,
  };
}

const otherText = canonicalJson({ meta: { family: 'cbm', key: 'trend', version: 2 } });

const simpleRows = {
  schedule: (requestedBy: number) => (trx: Trx) =>
    trx('rule_schedule').insert({
      ...{ versions: '{"cbm/trend": 1}', replaces: '{}', activeFrom: now, reason: 'defect_fix' },
      ...{ requestedBy, createdAt: now },
    }),
  newDraft: (authorUserId: number) => (trx: Trx) =>
    trx('rule_draft').insert({
      ...{ id: newId(), family: 'cbm', key: 'trend', baseVersion: 1, state: 'draft', document: otherText, cases: '[]' },
      ...{ sha256: sha256Hex(otherText), authorUserId, createdAt: now, updatedAt: now },
    }),
  engineFallback: (documentId: string) => (trx: Trx) =>
    trx('rule_engine_fallback').insert({ documentId, onFallback: true, facts: '{}', at: now }),
  attestation: (jobId: string) => async (trx: Trx) => {
    const payload = canonicalJson({ jobId });
    const previousHash = (await trx('rule_attestation').orderBy('id', 'desc').first('hash'))?.hash ?? '';
    await trx('rule_attestation').insert({ payload, previousHash, hash: sha256Hex(previousHash + payload), at: now });
  },
};
