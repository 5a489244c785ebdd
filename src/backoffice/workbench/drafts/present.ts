// Presents drafts.
import type { Trx } from '#core/platform/db.ts';
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

/** Reads all approvals with one query, and the rules in force with another. */
export async function presentDrafts(trx: Trx, rows: readonly DraftRow[]) {
  const approvals = await approvalsOf(
    trx,
    rows.map(({ id }) => id),
  );
  const inForce = await pinsInForce(trx);
  return rows.map((row) =>
    presentDraft(
      row,
      isBaseInForce(row, inForce),
      approvals.filter((approval) => isBinding(approval, row)),
    ),
  );
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
  findings: row.findings && [...row.findings],
  mutationScore: row.mutationScore,
  declineReason: row.declineReason,
  updatedAt: row.updatedAt,
});
