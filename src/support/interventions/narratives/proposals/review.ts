// Reviews a proposed narrative: another person than its author approves or rejects it.
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { conflict, invalid, notFound } from '#core/platform/errors.ts';
import { perBundle } from '#rules/rulesets/index.ts';
import { compileReasonCodes } from '../../engine/reason-codes.ts';
import { rejectionScope } from '../enums.ts';
import { decideNarrative, findNarrative, lockSlot, type NarrativeRow, newestApproved, supersede } from '../store.ts';
import { requireSafeNarrative } from './require-safe.ts';

/** The version of the bundle by which the text was checked; undefined when it is decided already. */
type CheckedBundle = string | undefined;

/** Language rules may have changed since the proposal. The returned function throws like `requireSafeNarrative`. */
export async function prepareNarrativeApproval(
  { rules }: Pick<Services, 'rules'>,
  trx: Trx,
  row: NarrativeRow,
  now: Date,
): Promise<() => Promise<CheckedBundle>> {
  if (row.state !== 'pending_review') return async () => undefined;
  const { bundleId, rules: bundle } = await rules.at(trx, now);
  return async () => {
    await requireSafeNarrative(bundle, row);
    return bundleId;
  };
}

/** Throws CONFLICT `invalid_transition`, `rules_moved` or `newer_approved`. */
export async function approveNarrative(
  { rules, clock }: Pick<Services, 'rules' | 'clock'>,
  trx: Trx,
  { id }: NarrativeRow,
  checkedBundle: CheckedBundle,
  reviewerUserId: number,
): Promise<NarrativeRow> {
  const row = await lockPending(trx, id);
  const decidedAt = clock.now();
  const { bundleId } = await rules.at(trx, decidedAt);
  if (bundleId !== checkedBundle)
    throw conflict('rules_moved', 'Other rules have come into force meanwhile. Try again.');
  if ((await newestApproved(trx, row)) > row.version) {
    throw conflict('newer_approved', 'A newer text of this profile, audience and window is approved.');
  }
  await supersede(trx, row);
  return decideNarrative(trx, row, { state: 'approved', reviewerUserId, decidedAt });
}

/** Throws VALIDATION_ERROR `unknown_code` or `wrong_scope`, CONFLICT `invalid_transition`. */
export async function rejectNarrative(
  { rules, clock }: Pick<Services, 'rules' | 'clock'>,
  trx: Trx,
  { id }: NarrativeRow,
  rejectReasonCode: string,
  reviewerUserId: number,
): Promise<NarrativeRow> {
  const { rules: bundle } = await rules.at(trx, clock.now());
  const fault = reasonCodesOf(bundle).faultOf(rejectReasonCode, rejectionScope);
  if (fault) throw invalid('reasonCode', fault);
  const row = await lockPending(trx, id);
  return decideNarrative(trx, row, { state: 'rejected', reviewerUserId, decidedAt: clock.now(), rejectReasonCode });
}

const reasonCodesOf = perBundle(compileReasonCodes, 'The reason codes are missing.');

/** The row may have been decided between the read and the lock. */
async function lockPending(trx: Trx, id: string): Promise<NarrativeRow> {
  const seen = await findNarrative(trx, id);
  if (!seen) throw notFound();
  await lockSlot(trx, seen);
  const row = await findNarrative(trx, id);
  if (row?.state !== 'pending_review') throw conflict('invalid_transition', 'The text is decided already.');
  return row;
}
