// The review of changes by other people: submission, approval, return, decline and withdrawal. A refusal that changes the state keeps
// that state: a suspended change stays suspended.
import { CommittedRefusal } from '#core/http/guards.ts';
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { AppError, conflict, invalid } from '#core/platform/errors.ts';
import { approversAmong } from '#identity/people/index.ts';
import { isError } from '#rules/rulesets/index.ts';
import { needsReport } from '../change-answers/reports.ts';
import { baseIdOf, versionTexts } from '../changes/bases.ts';
import { type LastCheck, movedRefusal, requireSomeDocuments, resultFor, unchecked } from '../changes/check.ts';
import { inheritedCases } from '../changes/documents/text-of-change.ts';
import { lockedChange, requireState } from '../changes/edit.ts';
import { type CheckResult, prepareCheck, requireSameRules } from '../changes/prepare-check.ts';
import {
  approvalsOf,
  type ChangeApproval,
  type ChangeDocument,
  type ChangeRow,
  defaultQuorum,
  documentsOf,
  isBinding,
  nameOfDocument,
  RuleChangeApproval,
  updateChange,
} from '../changes/store.ts';
import { caseText, isSameContent } from '../changes/text.ts';
import { type DeclineReason, editableStates } from '../enums.ts';
import { beforePublishing } from '../validation/engine/reference-check.ts';
import { lockWithReviews, publishChange } from './publish.ts';
import { requireQuoted, requireReport } from './quoted-report.ts';

export interface ChangeSubmission {
  readonly quorum?: number;
  readonly requestedReviewers?: readonly number[];
}

/**
 * The quorum is fixed here, and never below that of the last submission. Throws VALIDATION_ERROR for a smaller one, CONFLICT `state`,
 * `base_moved` (the change is a draft then), `no_change` and `empty_change`.
 */
export async function submitChange(
  trx: Trx,
  row: ChangeRow,
  { quorum, requestedReviewers }: ChangeSubmission,
  now: Date,
): Promise<ChangeRow> {
  const change = await lockedChange(trx, row);
  const least = change.quorum ?? defaultQuorum;
  if (quorum !== undefined && quorum < least) throw invalid('quorum', `must be at least ${least}, as it was`);
  requireState(change, ['validated'], 'Only a change that was checked, without an error, is submitted.');
  const documents = await documentsOf(trx, [change.id]);
  requireSomeDocuments(documents);
  const refusal = await movedRefusal(trx, documents, now);
  if (refusal) return unchecked(trx, change, refusal, now);
  await requireNews(trx, documents);
  return updateChange(
    trx,
    change.id,
    {
      state: 'in_review',
      quorum: quorum ?? least,
      submission: change.submission + 1,
      ...(requestedReviewers && { requestedReviewers: [...new Set(requestedReviewers)] }),
    },
    now,
  );
}

/** Throws CONFLICT `no_change` that names the documents which say the same as their bases, in text and cases. */
async function requireNews(trx: Trx, documents: readonly ChangeDocument[]): Promise<void> {
  const bases = await versionTexts(trx, documents.map(baseIdOf));
  const same = documents.filter((document) => {
    const base = bases.get(baseIdOf(document));
    const inherited = caseText(inheritedCases(base)).casesSha256;
    return base && inherited === document.casesSha256 && isSameContent(base.document, document.document);
  });
  if (same.length === 0) return;
  throw new AppError('CONFLICT', 'A document says the same as the version that it starts from; see details.', {
    details: same.map((one) => ({ field: nameOfDocument(one), issue: 'no_change' })),
  });
}

export interface ApprovalRequest {
  readonly userId: number;
  /** Hash of the change that was read. */
  readonly sha256: string;
  readonly reportHash?: string;
}

/**
 * Documents around the change may have changed since it was checked: an approval examines it a last time, cell by cell. Throws what
 * `approveChange` throws, except what suspends the change, which `approveChange` does.
 */
export async function lastCheck(
  services: Services,
  trx: Trx,
  change: ChangeRow,
  approval: ApprovalRequest,
  now: Date,
): Promise<() => Promise<LastCheck>> {
  const documents = await documentsOf(trx, [change.id]);
  if ((await approvable(services, trx, { change, documents }, approval, now)) !== undefined)
    return async () => undefined;
  const check = await prepareCheck(services, trx, documents, beforePublishing, now);
  return async () => ({ sha256: change.sha256, result: await check() });
}

/**
 * Counts an approval; the one that completes the quorum publishes all documents. Earlier ones of accounts that may not approve any
 * more do not count. Throws CONFLICT `state`, `hash_mismatch`, `already_approved`, what `requireReport` throws, `base_moved`,
 * `no_longer_valid` (these two suspend the change), `change_moved` and `rules_moved`.
 */
export async function approveChange(
  services: Services,
  trx: Trx,
  { id }: ChangeRow,
  approval: ApprovalRequest,
  checked: LastCheck,
  now: Date,
): Promise<ChangeRow> {
  const change = await lockWithReviews(trx, id);
  if (!change) throw conflict('change_moved', 'The change was deleted meanwhile.');
  const reviewed = { change, documents: await documentsOf(trx, [id]) };
  const refusal = await approvable(services, trx, reviewed, approval, now);
  if (refusal) return suspend(trx, change, refusal, now);
  return count(services, trx, reviewed, approval, checked, now);
}

interface Reviewed {
  readonly change: ChangeRow;
  readonly documents: readonly ChangeDocument[];
}

/** Returns the refusal that suspends the change, and throws all others. */
async function approvable(
  services: Services,
  trx: Trx,
  { change, documents }: Reviewed,
  { userId, sha256, reportHash }: ApprovalRequest,
  now: Date,
): Promise<AppError | undefined> {
  requireQuoted(needsReport(services, documents), reportHash);
  requireState(change, ['in_review'], 'Only a change in review can be approved.');
  if (change.sha256 !== sha256) {
    throw conflict('hash_mismatch', 'This is not the change that you have read. Read it again.', 'sha256');
  }
  const given = await approvalsOf(trx, [change.id]);
  if (given.some((one) => one.userId === userId && isBinding(one, change))) {
    throw conflict('already_approved', 'You have approved this change already.', 'sha256');
  }
  const active = (await services.rules.at(trx, now)).rules;
  if (reportHash !== undefined) await requireReport(services, trx, change, reportHash, active, now);
  return movedRefusal(trx, documents, now);
}

async function count(
  services: Services,
  trx: Trx,
  { change, documents }: Reviewed,
  { userId, reportHash }: ApprovalRequest,
  checked: LastCheck,
  now: Date,
): Promise<ChangeRow> {
  const { id, sha256, submission } = change;
  const quorum = change.quorum ?? defaultQuorum;
  const row = { changeId: id, userId, sha256, quorum, submission, at: now.toISOString() };
  await RuleChangeApproval.query(trx).insert({ ...row, reportHash: reportHash ?? null });
  const approvals = await countedApprovals(services, trx, change);
  if (approvals.length < quorum) return change;
  const result = resultFor(change, checked);
  await requireSameRules(services, trx, result, now);
  if (!result.valid) return suspend(trx, change, noLongerValid(result), now);
  return publishChange(trx, change, documents, result, approvals, now);
}

/** Returns the approvals of this submission that were given by accounts which may still approve. */
async function countedApprovals({ config }: Services, trx: Trx, change: ChangeRow): Promise<ChangeApproval[]> {
  const binding = (await approvalsOf(trx, [change.id])).filter((one) => isBinding(one, change));
  const able = await approversAmong(
    config,
    trx,
    binding.map(({ userId }) => userId),
  );
  return binding.filter(({ userId }) => able.has(userId));
}

function noLongerValid({ findings }: CheckResult): AppError {
  const details = findings
    .filter(isError)
    .map((one) => ({ field: one.ruleIds[0] ?? nameOfDocument(one), issue: one.code }));
  return new AppError('CONFLICT', 'The change does not pass its check any more; see details.', {
    details: [{ field: 'state', issue: 'no_longer_valid' }, ...details],
  });
}

/** An approval that was counted in this request is kept with the refusal. */
async function suspend(trx: Trx, { id }: ChangeRow, refusal: AppError, now: Date): Promise<never> {
  await updateChange(trx, id, { state: 'suspended' }, now);
  throw new CommittedRefusal(refusal);
}

const notInReview = 'Only a change in review can be judged.';

/** Its approvals count no more. Throws CONFLICT `state`. */
export async function returnChange(trx: Trx, row: ChangeRow, now: Date): Promise<ChangeRow> {
  const change = await lockedChange(trx, row);
  requireState(change, ['in_review'], notInReview);
  return updateChange(trx, change.id, { state: 'draft' }, now);
}

/** Throws CONFLICT `state`. */
export async function declineChange(trx: Trx, row: ChangeRow, reason: DeclineReason, now: Date): Promise<ChangeRow> {
  const change = await lockedChange(trx, row);
  requireState(change, ['in_review'], notInReview);
  return updateChange(trx, change.id, { state: 'rejected', declineReason: reason }, now);
}

/** Throws CONFLICT `state`. */
export async function withdrawChange(trx: Trx, row: ChangeRow, now: Date): Promise<ChangeRow> {
  const change = await lockedChange(trx, row);
  requireState(change, [...editableStates, 'in_review'], 'The change is closed already.');
  return updateChange(trx, change.id, { state: 'withdrawn' }, now);
}
