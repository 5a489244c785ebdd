// Makes, checks and submits a change in one call, for texts that are complete. A refused text is not stored.

import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { AppError } from '#core/platform/errors.ts';
import { isError } from '#rules/rulesets/index.ts';
import { baseMoved } from '../changes/bases.ts';
import { storeCheck } from '../changes/check.ts';
import { createChange, type SentDocument } from '../changes/edit.ts';
import { type CheckedDocument, type CheckResult, prepareCheck } from '../changes/prepare-check.ts';
import type { ChangeRow } from '../changes/store.ts';
import { caseList, caseText, changeText } from '../changes/text.ts';
import type { RuleSet } from '../published/scopes.ts';
import { submitChange } from '../review/review.ts';
import { whileEditing } from '../validation/engine/reference-check.ts';

export interface Proposal {
  readonly baseVersion: number;
  readonly document: object;
  readonly cases: unknown;
}

/** The result for the one document of a proposal. */
export interface ValidationResult extends CheckedDocument {
  readonly bundleId: string;
}

/**
 * Returns the check of one document, to be run when the transaction has ended. It throws VALIDATION_ERROR with a detail for each
 * finding of level error. Throws CONFLICT `base_moved` at once.
 */
export async function proposalValidation(
  services: Services,
  trx: Trx,
  { family, key, newestVersion }: RuleSet,
  { baseVersion, document, cases }: Proposal,
  now: Date,
): Promise<() => Promise<ValidationResult>> {
  if (baseVersion !== newestVersion) throw baseMoved(newestVersion);
  const place = { family, key, baseVersion, version: newestVersion + 1 };
  const text = { ...place, ...changeText(document, place), ...caseText(caseList(cases)) };
  const check = await prepareCheck(services, trx, [text], whileEditing, now);
  return async () => {
    const result = passed(await check());
    return { ...(result.documents[0] as CheckedDocument), bundleId: result.bundleId };
  };
}

/** Throws VALIDATION_ERROR with a detail for each finding of level error. */
export function passed(result: CheckResult): CheckResult {
  const errors = result.findings.filter(isError);
  if (errors.length === 0) return result;
  throw new AppError('VALIDATION_ERROR', 'The document does not pass validation; see details.', {
    details: errors.map(({ ruleIds, code }) => ({ field: ruleIds[0] ?? 'document', issue: code })),
  });
}

export interface ProposedChange {
  readonly title: string;
  readonly documents: readonly SentDocument[];
}

/** `result` is that of the check of these texts. Throws what `createChange` and `submitChange` throw. */
export async function proposeChange(
  trx: Trx,
  { title, documents }: ProposedChange,
  result: CheckResult,
  userId: number,
  now: Date,
): Promise<ChangeRow> {
  const change = await createChange(trx, { title, documents }, { userId, now });
  return submitChange(trx, await storeCheck(trx, change, result, now), {}, now);
}
