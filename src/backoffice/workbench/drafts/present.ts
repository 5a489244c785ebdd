// Presents drafts. Of one in review only the approvals of accounts that may still approve are shown.
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { approversAmong } from '#identity/people/index.ts';
import { isBaseInForce, pinsInForce } from './base.ts';
import {
  type ApprovalRow,
  approvalsOf,
  type DraftRow,
  defaultQuorum,
  draftCases,
  draftDocument,
  isBinding,
} from './store.ts';

/** What a presentation reads beside the drafts. */
export interface DraftReader {
  readonly services: Pick<Services, 'config'>;
  readonly trx: Trx;
  readonly now: Date;
}

/** Reads all approvals with one query, who may still approve with another, and the rules in force with a third. */
export async function presentDrafts({ services, trx, now }: DraftReader, rows: readonly DraftRow[]) {
  const approvals = await approvalsOf(
    trx,
    rows.map(({ id }) => id),
  );
  const able = await approversAmong(
    services.config,
    trx,
    approvals.map(({ userId }) => userId),
  );
  const inForce = await pinsInForce(trx, now);
  return rows.map((row) => {
    const isCounted = (approval: ApprovalRow) =>
      isBinding(approval, row) && (row.state !== 'in_review' || able.has(approval.userId));
    return presentDraft(row, isBaseInForce(row, inForce), approvals.filter(isCounted));
  });
}

const presentDraft = (row: DraftRow, baseInForce: boolean, approvals: readonly ApprovalRow[]) => ({
  draftId: row.id,
  family: row.family,
  key: row.key,
  baseVersion: row.baseVersion,
  baseInForce,
  state: row.state,
  sha256: row.sha256,
  etag: row.etag,
  document: draftDocument(row),
  cases: [...draftCases(row)],
  level: row.level,
  quorum: row.quorum ?? defaultQuorum,
  approvals: approvals.map(({ userId, sha256, at }) => ({ userId, sha256, at })),
  authorUserId: row.authorUserId,
  editorUserIds: [...row.editorUserIds],
  origin: row.origin,
  findings: row.findings && [...row.findings],
  mutationScore: row.mutationScore,
  declineReason: row.declineReason,
  updatedAt: row.updatedAt,
});
