// Rows that the run-time role may write only under the right name and with the right approvals: as SQL that any person who
// has its connection could send.
import type { Trx } from '#core/platform/db.ts';
import { newId } from '#core/platform/ids.ts';
import { canonicalJson, sha256Hex } from '#core/platform/pure/canonical-json.ts';
import { platformOrganizationId } from '#core/platform/pure/platform-organization.ts';
import type { TestApp } from '../../../harness/http.ts';
import { shippedVersion } from '../../../harness/rules.ts';
import { type Backoffice, buildBackoffice, type Json, nextVersion, takeChange } from '../backoffice.ts';

const now = new Date('2026-01-12T08:00:00.000Z');
const shipped = shippedVersion('cbm/trend');

export interface Reviewed {
  readonly office: Backoffice;
  /** In review with a quorum of two: written by the author, edited by the editor, approved by the approver. */
  readonly change: Json & { id: string };
  readonly text: Json;
  readonly address: string;
}

export async function buildReviewed(app: TestApp): Promise<Reviewed> {
  const { owner } = app.database;
  const office = await buildBackoffice(app);
  const document = await nextVersion(owner, 'cbm/trend', { 'CBM-MIN-01': 5 });
  const taken = await takeChange(office, { 'cbm/trend': document }, { quorum: 2, upTo: 'submit' });
  const { status } = await office.approver.post(`${taken.address}/approve`, { sha256: taken.sha256 });
  if (status !== 200) throw new Error(`the first approval was answered ${status}`);
  const { changeId } = taken;
  return {
    office,
    address: taken.address,
    change: await owner('rule_change').where({ id: changeId }).first(),
    text: await owner('rule_change_document').where({ changeId }).first(),
  };
}

/** Each answers what is to be run; `reviewed` is asked for when it is. */
export function rowsAbout(reviewed: () => Reviewed) {
  return {
    version: (change: Json = {}) => {
      const { change: made, text, office } = reviewed();
      const { family, key, document, sha256 } = text;
      const { authorUserId, editorUserIds } = made;
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
      const { id: changeId, sha256, quorum, submission } = reviewed().change;
      return (trx: Trx) =>
        trx('rule_change_approval').insert({ changeId, userId, sha256, quorum, submission, at: now, ...change });
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
        entity: 'rule_change',
        ...{ entityId: reviewed().change.id, action: 'update', changedFields: ['state'] },
      }),
    ...simpleRows,
  };
}

const simpleRows = {
  schedule: (requestedBy: number) => (trx: Trx) =>
    trx('rule_schedule').insert({
      ...{ versions: '{"cbm/trend": 1}', replaces: '{}', activeFrom: now, reason: 'defect_fix' },
      ...{ requestedBy, createdAt: now },
    }),
  newChange:
    (authorUserId: number, change: Json = {}) =>
    (trx: Trx) =>
      trx('rule_change').insert({
        ...{ id: newId(), title: 'By hand', state: 'draft', authorUserId, createdAt: now, updatedAt: now },
        ...change,
      }),
  engineFallback: (documentId: string) => (trx: Trx) =>
    trx('rule_engine_fallback').insert({ documentId, onFallback: true, facts: '{}', at: now }),
  attestation: (jobId: string) => async (trx: Trx) => {
    const payload = canonicalJson({ jobId });
    const previousHash = (await trx('rule_attestation').orderBy('id', 'desc').first('hash'))?.hash ?? '';
    await trx('rule_attestation').insert({ payload, previousHash, hash: sha256Hex(previousHash + payload), at: now });
  },
};
