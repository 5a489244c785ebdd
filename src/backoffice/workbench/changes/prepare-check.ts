// Checks texts in the place of the documents in force. A transaction reads what the check needs; the check takes seconds and runs
// while no transaction is open.

import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { conflict } from '#core/platform/errors.ts';
import { readStoredTexts } from '#rules/language/index.ts';
import { type AnyCase, type ChangeLevel, changeLevels, isError } from '#rules/rulesets/index.ts';
import { runInWorker } from '../analysis-worker.ts';
import { casesOf, versionDocumentOf } from '../published/store.ts';
import type { CheckInput, TextCheck } from '../validation/engine/check.ts';
import { effectiveCases } from '../validation/engine/inherited-cases.ts';
import type { ReferenceEffort } from '../validation/engine/reference-check.ts';
import { baseIdOf, versionTexts } from './bases.ts';
import { type ChangeDocument, type ChangeFinding, caseListOf, nameOfDocument } from './store.ts';

export type TextToCheck = Pick<ChangeDocument, 'family' | 'key' | 'baseVersion' | 'document' | 'cases'>;

/** `cases` are all cases that the text has to pass, and that are frozen with it. */
export interface CheckedDocument extends TextCheck {
  readonly family: string;
  readonly key: string;
  readonly cases: readonly AnyCase[];
}

export interface CheckResult {
  readonly documents: readonly CheckedDocument[];
  /** Errors first. */
  readonly findings: readonly ChangeFinding[];
  /** The largest of all documents; null while a text cannot be read. */
  readonly level: ChangeLevel | null;
  readonly valid: boolean;
  /** The bundle in force that the texts were checked with. */
  readonly bundleId: string;
}

/** Reads what a check needs; returns the check itself, to be run when the transaction has ended. */
export async function prepareCheck(
  { rules, capabilities }: Pick<Services, 'rules' | 'capabilities'>,
  trx: Trx,
  texts: readonly TextToCheck[],
  effort: ReferenceEffort,
  now: Date,
): Promise<() => Promise<CheckResult>> {
  const bases = await versionTexts(trx, texts.map(baseIdOf));
  const { bundleId, rules: inForce } = await rules.at(trx, now);
  const stored = await readStoredTexts(trx, capabilities, texts.map(nameOfDocument));
  const asked = texts.map((text) => {
    const base = bases.get(baseIdOf(text));
    return {
      name: nameOfDocument(text),
      text: text.document,
      cases: effectiveCases(caseListOf(text), base ? casesOf(base) : []),
      base: base ? versionDocumentOf(base) : null,
    };
  });
  const question: CheckInput = { texts: asked, active: inForce.documents, stored, effort };
  return async () => {
    const checks = await runInWorker('check', question);
    return {
      ...summaryOf(checks.map((one, at) => ({ ...one, ...placeOf(texts[at]), cases: asked[at]?.cases ?? [] }))),
      bundleId,
    };
  };
}

const placeOf = (text: TextToCheck | undefined) => ({ family: text?.family ?? '', key: text?.key ?? '' });

function summaryOf(documents: readonly CheckedDocument[]): Omit<CheckResult, 'bundleId'> {
  const findings = documents.flatMap(({ family, key, findings: own }) =>
    own.map((finding) => ({ family, key, ...finding })),
  );
  const errors = findings.filter(isError);
  return {
    documents,
    findings: [...errors, ...findings.filter((one) => !isError(one))],
    level: largestLevel(documents.map(({ level }) => level)),
    valid: errors.length === 0,
  };
}

/** Null where one is not known. */
export const largestLevel = (levels: readonly (ChangeLevel | null)[]): ChangeLevel | null =>
  levels.includes(null) ? null : (changeLevels.find((level) => levels.includes(level)) ?? null);

/** By name of the document. */
export const mutationScoresOf = ({ documents }: Pick<CheckResult, 'documents'>): Record<string, number | null> =>
  Object.fromEntries(documents.map(({ name, mutationScore }) => [name, mutationScore]));

/** Throws CONFLICT `rules_moved` when other rules have come into force since the check. */
export async function requireSameRules(
  { rules }: Pick<Services, 'rules'>,
  trx: Trx,
  { bundleId }: Pick<CheckResult, 'bundleId'>,
  now: Date,
): Promise<void> {
  if ((await rules.at(trx, now)).bundleId === bundleId) return;
  throw conflict('rules_moved', 'Other rules have come into force meanwhile. Try again.', 'documents');
}
