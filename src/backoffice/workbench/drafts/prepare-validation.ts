// Validates a draft together with the documents that it would be in force with. A transaction reads what the validation needs;
// the validation takes seconds and runs while no transaction is open.

import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { conflict } from '#core/platform/errors.ts';
import { readStoredTexts } from '#rules/language/index.ts';
import { type AnyCase, isError } from '#rules/rulesets/index.ts';
import { runInWorker } from '../analysis-worker.ts';
import { candidateTexts } from '../companions.ts';
import { casesOf, findVersion, versionDocumentOf } from '../published/store.ts';
import { effectiveCases } from '../validation/engine/inherited-cases.ts';
import type { ReferenceEffort } from '../validation/engine/reference-check.ts';
import type { DocumentValidation, ValidationInput } from '../validation/engine/validate.ts';
import { type DraftRow, draftCases } from './store.ts';

export type ValidatedText = Pick<DraftRow, 'family' | 'key' | 'baseVersion' | 'document' | 'cases'>;

/** `cases` are all cases that the draft has to pass, and that are frozen with it. */
export interface ValidationResult extends DocumentValidation {
  readonly cases: readonly AnyCase[];
  readonly valid: boolean;
  /** The bundle in force that it was validated with. */
  readonly bundleId: string;
}

/** Reads what a validation needs; returns the validation itself, to be run when the transaction has ended. */
export async function prepareValidation(
  { rules, capabilities }: Pick<Services, 'rules' | 'capabilities'>,
  trx: Trx,
  draft: ValidatedText,
  effort: ReferenceEffort,
  now: Date,
): Promise<() => Promise<ValidationResult>> {
  const { family, key, baseVersion, document: text } = draft;
  const base = await findVersion(trx, family, key, baseVersion);
  const cases = effectiveCases(draftCases(draft), base ? casesOf(base) : []);
  const { bundleId, rules: inForce } = await rules.at(trx, now);
  const active = inForce.documents;
  const candidates = await candidateTexts(trx, active, draft);
  const stored = await readStoredTexts(trx, capabilities, `${family}/${key}`);
  const around = { active, candidates, stored, effort };
  const question: ValidationInput = { text, cases, base: base ? versionDocumentOf(base) : null, ...around };
  return async () => {
    const answer = await runInWorker('validate', question);
    return { ...answer, cases, bundleId, valid: !answer.findings.some(isError) };
  };
}

/** Throws CONFLICT `rules_moved` when other rules have come into force since the validation. */
export async function requireSameRules(
  { rules }: Pick<Services, 'rules'>,
  trx: Trx,
  result: ValidationResult,
  now: Date,
) {
  const { bundleId } = await rules.at(trx, now);
  if (bundleId === result.bundleId) return;
  throw conflict('rules_moved', 'Other rules have come into force meanwhile. Try again.', 'document');
}
