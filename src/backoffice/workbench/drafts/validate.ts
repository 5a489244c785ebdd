// Validates a draft and stores the result: the state `validated`, or the findings.

import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { conflict } from '#core/platform/errors.ts';
import type { DraftState } from '../enums.ts';
import { whileEditing } from '../validation/engine/reference-check.ts';
import { isBaseInForce, pinsInForce } from './base.ts';
import { requireDraftState } from './edit.ts';
import { prepareValidation, type ValidationResult } from './prepare-validation.ts';
import { type DraftRow, lockDraft, updateDraft } from './store.ts';

const open: readonly DraftState[] = ['draft', 'validated'];
const inReview = 'Only a draft that is not in review can be validated.';

/** The draft that was validated, and the result. */
export interface ValidatedDraft {
  readonly etag: string;
  readonly result: ValidationResult;
}

/** Throws CONFLICT `state` for a draft in review, and for one that is closed. */
export async function validation(services: Services, trx: Trx, draft: DraftRow, now: Date) {
  requireDraftState(draft, open, inReview);
  const validate = await prepareValidation(services, trx, draft, whileEditing, now);
  return async (): Promise<ValidatedDraft> => ({ etag: draft.etag, result: await validate() });
}

/** Stores the result. Throws CONFLICT `state`, and `draft_moved` when the draft was changed meanwhile. */
export async function saveValidation(trx: Trx, { id }: DraftRow, validated: ValidatedDraft, now: Date) {
  const draft = await lockDraft(trx, id);
  requireDraftState(draft, open, inReview);
  const { valid, findings, mutationScore, level } = resultFor(draft, validated);
  await updateDraft(trx, id, { state: valid ? 'validated' : 'draft', findings, mutationScore, level }, now);
  return {
    valid,
    baseInForce: isBaseInForce(draft, await pinsInForce(trx, now)),
    findings: [...findings],
    mutationScore,
  };
}

/** Throws CONFLICT `draft_moved` when the draft has changed since it was validated. */
export function resultFor({ etag }: DraftRow, validated: ValidatedDraft | undefined): ValidationResult {
  if (validated?.etag === etag) return validated.result;
  throw conflict('draft_moved', 'The draft was changed meanwhile. Read it again, and try again.', 'etag');
}
