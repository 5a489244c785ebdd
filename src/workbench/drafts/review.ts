// Four eyes: who asks for judgement, who gives it, and what is judged. Refusals that change the draft's state keep that
// change: a suspended draft stays suspended.
import { KeptRefusal } from '../../http/guards.ts';
import type { Trx } from '../../platform/db.ts';
import { violatedConstraint } from '../../platform/db.ts';
import { AppError, conflict } from '../../platform/errors.ts';
import type { Services } from '../../services.ts';
import { beforePublishing } from '../gate/engine/second-opinion.ts';
import { examineDraft } from '../gate/gate.ts';
import { findRuleSet } from '../rule-sets/scopes.ts';
import { findVersion } from '../rule-sets/store.ts';
import { baseMoved, requireState } from './edit.ts';
import { publish } from './publish.ts';
import { requireReport } from './rehearsed.ts';
import { type ApprovalRow, approvalsOf, type DeclineReason, type DraftRow, holdDraft, updateDraft } from './store.ts';
import { requireChange } from './text.ts';

export const defaultQuorum = 1;

/** Throws CONFLICT `state`, `base_moved` or `no_change`. The quorum is fixed here, for good. */
export async function submitDraft(trx: Trx, { id }: DraftRow, quorum: number, now: Date): Promise<DraftRow> {
  const draft = await holdDraft(trx, id);
  requireState(draft, ['validated'], 'Only a validated draft can be submitted.');
  const { family, key, baseVersion } = draft;
  const { newestVersion } = await findRuleSet(trx, family, key);
  if (newestVersion !== baseVersion) throw baseMoved(newestVersion);
  const base = await findVersion(trx, family, key, baseVersion);
  if (base) requireChange(base.document, draft.document);
  return updateDraft(trx, id, { state: 'in_review', quorum }, now);
}

export interface Approval {
  readonly userId: number;
  /** Of the text that was read. */
  readonly sha256: string;
  readonly reportHash?: string;
}

/**
 * Counts an approval; the one that completes the quorum publishes. Throws CONFLICT `state`, `hash_mismatch`,
 * `already_approved`, `base_moved` or `no_longer_valid`, and what `requireReport` throws.
 */
export async function approveDraft(
  services: Services,
  trx: Trx,
  { id }: DraftRow,
  { userId, sha256, reportHash }: Approval,
  now: Date,
): Promise<DraftRow> {
  const draft = await holdDraft(trx, id);
  requireState(draft, ['in_review'], 'Only a draft in review can be approved.');
  if (draft.sha256 !== sha256) {
    throw conflict('hash_mismatch', 'This is not the text that you have read. Read the draft again.', 'sha256');
  }
  const { newestVersion } = await findRuleSet(trx, draft.family, draft.key);
  if (newestVersion !== draft.baseVersion) return suspend(trx, draft, baseMoved(newestVersion), now);
  const active = (await services.rules.at(trx, now)).rules.versions;
  await requireReport(trx, draft, reportHash, active);
  await addApproval(trx, { draftId: id, userId, sha256, reportHash: reportHash ?? null, at: now.toISOString() });
  const approvals = (await approvalsOf(trx, [id])).filter((one) => one.sha256 === sha256);
  if (approvals.length < (draft.quorum ?? defaultQuorum)) return draft;
  return publishApproved(services, trx, draft, approvals, now);
}

async function addApproval(trx: Trx, row: ApprovalRow): Promise<void> {
  try {
    await trx('rule_approval').insert(row);
  } catch (error) {
    if (violatedConstraint(error) !== 'rule_approval_pkey') throw error;
    throw conflict('already_approved', 'You have approved this text already.', 'sha256');
  }
}

/** Documents around the draft may have changed since it was validated: the gate is passed a last time, cell by cell. */
async function publishApproved(
  services: Services,
  trx: Trx,
  draft: DraftRow,
  approvals: readonly ApprovalRow[],
  now: Date,
): Promise<DraftRow> {
  const { valid, findings, cases } = await examineDraft(services, trx, draft, beforePublishing, now);
  if (valid) return publish(trx, draft, cases, approvals, now);
  const details = findings
    .filter(({ level }) => level === 'error')
    .map(({ ruleIds, code }) => ({ field: ruleIds[0] ?? 'document', issue: code }));
  const refusal = new AppError('CONFLICT', 'The draft does not pass the gate any more; see details.', {
    details: [{ field: 'state', issue: 'no_longer_valid' }, ...details],
  });
  return suspend(trx, draft, refusal, now);
}

async function suspend(trx: Trx, { id }: DraftRow, refusal: AppError, now: Date): Promise<never> {
  await updateDraft(trx, id, { state: 'suspended' }, now);
  throw new KeptRefusal(refusal);
}

/** Throws CONFLICT `state`. */
export async function declineDraft(trx: Trx, { id }: DraftRow, reason: DeclineReason, now: Date): Promise<DraftRow> {
  requireState(await holdDraft(trx, id), ['in_review'], 'Only a draft in review can be declined.');
  return updateDraft(trx, id, { state: 'rejected', declineReason: reason }, now);
}

/** Throws CONFLICT `state`. */
export async function withdrawDraft(trx: Trx, { id }: DraftRow, now: Date): Promise<DraftRow> {
  const open = ['draft', 'validated', 'in_review', 'suspended'] as const;
  requireState(await holdDraft(trx, id), open, 'The draft is closed already.');
  return updateDraft(trx, id, { state: 'withdrawn' }, now);
}
