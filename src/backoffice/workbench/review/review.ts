// The review of drafts by a second person: submission, approval, decline and withdrawal. A refusal that changes the state of the
// draft keeps that change: a suspended draft stays suspended.
import { CommittedRefusal } from '#core/http/guards.ts';
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { violatedConstraint } from '#core/platform/db.ts';
import { AppError, conflict } from '#core/platform/errors.ts';
import { approversAmong } from '#identity/people/index.ts';
import { baseMoved, requireDraftState } from '../drafts/edit.ts';
import { prepareValidation, requireSameRules, type ValidationResult } from '../drafts/prepare-validation.ts';
import {
  type ApprovalRow,
  approvalsOf,
  type DraftRow,
  defaultQuorum,
  isBinding,
  lockDraft,
  RuleApproval,
  updateDraft,
} from '../drafts/store.ts';
import { requireChange } from '../drafts/text.ts';
import { resultFor, type ValidatedDraft } from '../drafts/validate.ts';
import type { DeclineReason } from '../enums.ts';
import { findRuleSet } from '../published/scopes.ts';
import { findVersion } from '../published/store.ts';
import { beforePublishing } from '../validation/engine/reference-check.ts';
import { publishDraft } from './publish.ts';
import { requireReport } from './quoted-report.ts';

/**
 * Throws CONFLICT `state`, `base_moved` or `no_change`. The quorum is fixed here. A suspended draft is submitted
 * again, with no smaller quorum than before.
 */
export async function submitDraft(trx: Trx, { id }: DraftRow, quorum: number, now: Date): Promise<DraftRow> {
  const draft = await lockDraft(trx, id);
  requireDraftState(draft, ['validated'], 'Only a validated draft can be submitted.');
  const { family, key, baseVersion, submission } = draft;
  const { newestVersion } = await findRuleSet(trx, family, key);
  if (newestVersion !== baseVersion) throw baseMoved(newestVersion);
  const base = await findVersion(trx, family, key, baseVersion);
  // An imported text that is here already has other cases, or it would not have been taken in.
  if (base && draft.origin === null) requireChange(base.document, draft.document);
  const needed = Math.max(quorum, draft.quorum ?? defaultQuorum);
  return updateDraft(trx, id, { state: 'in_review', quorum: needed, submission: submission + 1 }, now);
}

export interface DraftApproval {
  readonly userId: number;
  /** Hash of the text that was read. */
  readonly sha256: string;
  /** Hash of the draft that was read, including its cases. */
  readonly etag?: string;
  readonly reportHash?: string;
}

/** Undefined when nothing was validated, because the approval will be refused. */
type LastValidation = ValidatedDraft | undefined;

/**
 * Documents around the draft may have changed since it was validated: an approval validates it a last time,
 * cell by cell. Throws what `approveDraft` throws, except what suspends the draft, which `approveDraft` does.
 */
export async function lastValidation(
  services: Services,
  trx: Trx,
  draft: DraftRow,
  approval: DraftApproval,
  now: Date,
): Promise<() => Promise<LastValidation>> {
  if ((await approvable(services, trx, draft, approval, now)) !== undefined) return async () => undefined;
  const validate = await prepareValidation(services, trx, draft, beforePublishing, now);
  return async () => ({ etag: draft.etag, result: await validate() });
}

/**
 * Counts an approval; the one that completes the quorum publishes. Earlier ones of accounts that may not approve any more do not
 * count. Throws CONFLICT `state`, `hash_mismatch`,
 * `already_approved`, `base_moved`, `no_longer_valid`, `draft_moved` or `rules_moved`, and what `requireReport` throws.
 */
export async function approveDraft(
  services: Services,
  trx: Trx,
  { id }: DraftRow,
  approval: DraftApproval,
  validated: LastValidation,
  now: Date,
): Promise<DraftRow> {
  const draft = await lockDraft(trx, id);
  const refusal = await approvable(services, trx, draft, approval, now);
  if (refusal) return suspend(trx, draft as DraftRow, refusal, now);
  return count(services, trx, draft as DraftRow, approval, validated, now);
}

/** Returns the refusal that suspends the draft, and throws all others. */
async function approvable(
  services: Services,
  trx: Trx,
  draft: DraftRow | undefined,
  { sha256, etag, reportHash }: DraftApproval,
  now: Date,
): Promise<AppError | undefined> {
  requireDraftState(draft, ['in_review'], 'Only a draft in review can be approved.');
  if (draft.sha256 !== sha256 || draft.etag !== (etag ?? draft.etag)) {
    const field = draft.sha256 === sha256 ? 'etag' : 'sha256';
    throw conflict('hash_mismatch', 'This is not the draft that you have read. Read it again.', field);
  }
  const { newestVersion } = await findRuleSet(trx, draft.family, draft.key);
  if (newestVersion !== draft.baseVersion) return baseMoved(newestVersion);
  await requireReport(services, trx, draft, reportHash, (await services.rules.at(trx, now)).rules, now);
  return undefined;
}

async function count(
  services: Services,
  trx: Trx,
  draft: DraftRow,
  { userId, reportHash }: DraftApproval,
  validated: LastValidation,
  now: Date,
): Promise<DraftRow> {
  const { id, sha256, etag, submission, quorum } = draft;
  const needed = quorum ?? defaultQuorum;
  const row = { draftId: id, userId, sha256, etag, quorum: needed, submission, at: now.toISOString() };
  await addApproval(trx, { ...row, reportHash: reportHash ?? null });
  const approvals = await countedApprovals(services, trx, draft);
  if (approvals.length < needed) return draft;
  const result = resultFor(draft, validated);
  await requireSameRules(services, trx, result, now);
  return publishApproved(trx, draft, result, approvals, now);
}

/** Returns the approvals of this text that were given by accounts which may still approve. */
async function countedApprovals({ config }: Services, trx: Trx, draft: DraftRow): Promise<ApprovalRow[]> {
  const binding = (await approvalsOf(trx, [draft.id])).filter((one) => isBinding(one, draft));
  const able = await approversAmong(
    config,
    trx,
    binding.map(({ userId }) => userId),
  );
  return binding.filter(({ userId }) => able.has(userId));
}

async function addApproval(trx: Trx, row: ApprovalRow): Promise<void> {
  try {
    await RuleApproval.query(trx).insert(row);
  } catch (error) {
    if (violatedConstraint(error) !== 'rule_approval_pkey') throw error;
    throw conflict('already_approved', 'You have approved this draft already.', 'sha256');
  }
}

async function publishApproved(
  trx: Trx,
  draft: DraftRow,
  { valid, findings, cases }: ValidationResult,
  approvals: readonly ApprovalRow[],
  now: Date,
): Promise<DraftRow> {
  if (valid) return publishDraft(trx, draft, cases, approvals, now);
  const details = findings
    .filter(({ level }) => level === 'error')
    .map(({ ruleIds, code }) => ({ field: ruleIds[0] ?? 'document', issue: code }));
  const refusal = new AppError('CONFLICT', 'The draft does not pass validation any more; see details.', {
    details: [{ field: 'state', issue: 'no_longer_valid' }, ...details],
  });
  return suspend(trx, draft, refusal, now);
}

async function suspend(trx: Trx, { id }: DraftRow, refusal: AppError, now: Date): Promise<never> {
  await updateDraft(trx, id, { state: 'suspended' }, now);
  throw new CommittedRefusal(refusal);
}

/** Throws CONFLICT `state`. */
export async function declineDraft(trx: Trx, { id }: DraftRow, reason: DeclineReason, now: Date): Promise<DraftRow> {
  requireDraftState(await lockDraft(trx, id), ['in_review'], 'Only a draft in review can be declined.');
  return updateDraft(trx, id, { state: 'rejected', declineReason: reason }, now);
}

/** Throws CONFLICT `state`. */
export async function withdrawDraft(trx: Trx, { id }: DraftRow, now: Date): Promise<DraftRow> {
  const open = ['draft', 'validated', 'in_review', 'suspended'] as const;
  requireDraftState(await lockDraft(trx, id), open, 'The draft is closed already.');
  return updateDraft(trx, id, { state: 'withdrawn' }, now);
}
