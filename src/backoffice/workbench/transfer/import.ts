// Imports a file of another service. A version is known by its content, not by its number there: what is here already is present,
// and what is not waits for approval as the next version here, since a file does not replace the review by a second person.

import type { Services } from '#core/module/services.ts';
import { inReadOnlyContext, type Trx } from '#core/platform/db.ts';
import { AppError, conflict, type ErrorDetail, invalid } from '#core/platform/errors.ts';
import { canonicalHash, sha256Hex } from '#core/platform/pure/canonical-json.ts';
import type { AnyCase } from '#rules/rulesets/index.ts';
import type { ValidationResult } from '../drafts/prepare-validation.ts';
import { canonicalText, metaOf } from '../drafts/text.ts';
import { type Proposal, proposalValidation, proposeDraft } from '../proposals/propose.ts';
import { lookUpRuleSet, type RuleSet } from '../published/scopes.ts';
import { casesOf, findVersion } from '../published/store.ts';
import { importedCases } from './imported-cases.ts';
import { presentVersions } from './present-versions.ts';

export interface Imported {
  readonly family: string;
  readonly key: string;
  /** Its number in the other service. */
  readonly version: number;
  readonly sha256: string;
  readonly goldenSha256: string | null;
  readonly document: object;
  readonly cases: readonly AnyCase[];
}

export interface ImportedFile {
  /** The address of the other service. */
  readonly service?: string;
  readonly documents: readonly Imported[];
}

/** A document of the file, and its rule set here. */
interface Entry {
  readonly one: Imported;
  readonly set: RuleSet;
  /** The version here that says the same; undefined where it is a proposal for the next one. */
  readonly present: number | undefined;
}

/** The validation of a document on the version that was the newest one then. */
interface ValidatedImport {
  readonly baseVersion: number;
  readonly result: ValidationResult;
}

/** The timeout of all validations of a file. Each document has limits of its own in the analysis worker. */
const patienceMs = 120_000;

/**
 * Returns the validations, which run one after the other once the transaction has ended. Throws VALIDATION_ERROR for a hash
 * that is not the text's, an unknown rule set and a document that does not pass validation.
 */
export async function importValidations(services: Services, trx: Trx, { service, documents }: ImportedFile, now: Date) {
  refuse(documents.flatMap(wrongHashes), 'A hash is not that of its text; see details.');
  refuse(documents.flatMap(repeated), 'A document is listed twice; see details.');
  const fresh = (await entriesOf(trx, documents)).filter(({ present }) => present === undefined);
  return async (): Promise<ValidatedImport[]> => {
    const startedAt = performance.now();
    const validations: ValidatedImport[] = [];
    for (const entry of fresh) {
      if (performance.now() - startedAt > patienceMs) throw invalid('documents', 'too_complex');
      validations.push({
        baseVersion: entry.set.newestVersion,
        result: await validated(services, entry, service, now),
      });
    }
    return validations;
  };
}

/** Reads the input of one validation when it is due, because the inputs of hundreds of documents would need much memory. */
async function validated(
  services: Services,
  entry: Entry,
  service: string | undefined,
  now: Date,
): Promise<ValidationResult> {
  const validate = await inReadOnlyContext(services.db, 'SUPER', async (trx) =>
    proposalValidation(services, trx, entry.set, await proposalOf(trx, entry, service), now),
  );
  return validate();
}

/**
 * Imports all documents, or none. `validations` are those of the new ones, in their order. Throws CONFLICT `moved` when a version
 * was published meanwhile, and what `proposeDraft` throws.
 */
export async function importBundle(
  trx: Trx,
  { service, documents }: ImportedFile,
  validations: readonly ValidatedImport[],
  userId: number,
  now: Date,
) {
  const results = [];
  const left = [...validations];
  for (const entry of await entriesOf(trx, documents)) {
    const { one, set, present } = entry;
    const { family, key } = one;
    if (present !== undefined) {
      results.push({ family, key, version: present, result: 'present' as const, draftId: null });
      continue;
    }
    const validation = left.shift();
    if (validation?.baseVersion !== set.newestVersion) throw moved();
    const proposal = await proposalOf(trx, entry, service);
    const { draft } = await proposeDraft(trx, set, proposal, validation.result, userId, now);
    results.push({ family, key, version: draft.baseVersion + 1, result: 'in_review' as const, draftId: draft.id });
  }
  if (left.length > 0) throw moved();
  return { results };
}

const moved = () => conflict('moved', 'The rule sets have changed meanwhile. Try again.', 'documents');

async function entriesOf(trx: Trx, documents: readonly Imported[]): Promise<Entry[]> {
  const present = await presentVersions(trx, documents);
  const entries: Entry[] = [];
  for (const [at, one] of documents.entries()) {
    const set = await lookUpRuleSet(trx, one.family, one.key);
    if (!set) throw invalid(`documents.${at}.key`, 'is not a rule set of this service');
    entries.push({ one, set, present: present.get(one) });
  }
  return entries;
}

/** Returns the text with the number that it would have here, and its cases on top of those of the newest version. */
async function proposalOf(trx: Trx, { one, set }: Entry, service: string | undefined): Promise<Proposal> {
  const { document, version, sha256 } = one;
  const { family, key, newestVersion: baseVersion } = set;
  const origin = { service: service ?? null, version, sha256 };
  const base = await findVersion(trx, family, key, baseVersion);
  const cases = importedCases(one.cases, base ? casesOf(base) : [], origin);
  return {
    baseVersion,
    document: { ...document, meta: { ...metaOf(document), version: baseVersion + 1 } },
    cases,
    origin,
  };
}

function refuse(details: readonly ErrorDetail[], message: string): void {
  if (details.length > 0) throw new AppError('VALIDATION_ERROR', message, { details });
}

function wrongHashes({ sha256, goldenSha256, document, cases }: Imported, at: number): ErrorDetail[] {
  const golden = cases.length === 0 ? null : canonicalHash({ cases });
  const actual = sha256Hex(canonicalText(document, `documents.${at}.document`));
  return [
    ...(actual === sha256 ? [] : [{ field: `documents.${at}.sha256`, issue: 'is not the hash' }]),
    ...(golden === goldenSha256 ? [] : [{ field: `documents.${at}.goldenSha256`, issue: 'is not the hash' }]),
  ];
}

function repeated({ family, key }: Imported, at: number, all: readonly Imported[]): ErrorDetail[] {
  const first = all.findIndex((other) => other.family === family && other.key === key);
  return first === at ? [] : [{ field: `documents.${at}.key`, issue: 'is listed twice' }];
}
