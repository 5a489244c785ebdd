// Creates, validates and submits a draft in one call, for texts that are complete. A refused text is not stored.

import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { AppError } from '#core/platform/errors.ts';
import { canonicalJson } from '#core/platform/pure/canonical-json.ts';
import { type ImportOrigin, isError } from '#rules/rulesets/index.ts';
import { baseMoved, createDraft } from '../drafts/edit.ts';
import { prepareValidation, type ValidationResult } from '../drafts/prepare-validation.ts';
import { defaultQuorum, updateDraft } from '../drafts/store.ts';
import { caseList, draftText } from '../drafts/text.ts';
import type { RuleSet } from '../published/scopes.ts';
import { submitDraft } from '../review/review.ts';
import { whileEditing } from '../validation/engine/reference-check.ts';

export interface Proposal {
  readonly baseVersion: number;
  readonly document: object;
  readonly cases: unknown;
  /** Where an imported text comes from. */
  readonly origin?: ImportOrigin;
}

/**
 * Returns the validation, to be run when the transaction has ended. It throws VALIDATION_ERROR with a detail for each finding
 * of level error. Throws CONFLICT `base_moved` at once.
 */
export async function proposalValidation(
  services: Services,
  trx: Trx,
  { family, key, newestVersion }: RuleSet,
  { baseVersion, document, cases }: Proposal,
  now: Date,
): Promise<() => Promise<ValidationResult>> {
  if (baseVersion !== newestVersion) throw baseMoved(newestVersion);
  const location = { family, key, baseVersion };
  const draft = { ...location, ...draftText(document, location), cases: canonicalJson(caseList(cases)) };
  const validate = await prepareValidation(services, trx, draft, whileEditing, now);
  return async () => passed(await validate());
}

function passed(result: ValidationResult): ValidationResult {
  const errors = result.findings.filter(isError);
  if (errors.length === 0) return result;
  throw new AppError('VALIDATION_ERROR', 'The document does not pass validation; see details.', {
    details: errors.map(({ ruleIds, code }) => ({ field: ruleIds[0] ?? 'document', issue: code })),
  });
}

/** `verdict` is the result of this proposal's validation. Throws what `createDraft` and `submitDraft` throw. */
export async function proposeDraft(
  trx: Trx,
  set: RuleSet,
  input: Proposal,
  { findings, mutationScore, level }: ValidationResult,
  userId: number,
  now: Date,
) {
  const { id } = await createDraft(trx, set, input, userId, now);
  const validated = await updateDraft(trx, id, { state: 'validated', findings, mutationScore, level }, now);
  return { draft: await submitDraft(trx, validated, defaultQuorum, now), findings };
}
