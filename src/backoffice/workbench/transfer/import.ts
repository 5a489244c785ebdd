// Imports a file of another service. Versions that exist are compared by their hashes; new ones wait for approval like any other
// change, since a file does not replace the review by a second person.

import type { Services } from '#core/module/services.ts';
import { inReadOnlyContext, type Trx } from '#core/platform/db.ts';
import { AppError, conflict, type ErrorDetail, invalid } from '#core/platform/errors.ts';
import { canonicalHash, sha256Hex } from '#core/platform/pure/canonical-json.ts';
import { type AnyCase, RuleVersion } from '#rules/rulesets/index.ts';
import type { ValidationResult } from '../drafts/prepare-validation.ts';
import { canonicalText, metaOf } from '../drafts/text.ts';
import { type Proposal, proposalValidation, proposeDraft } from '../proposals/propose.ts';
import { lookUpRuleSet, type RuleSet } from '../published/scopes.ts';

export interface Imported {
  readonly family: string;
  readonly key: string;
  readonly version: number;
  readonly sha256: string;
  readonly goldenSha256: string | null;
  readonly document: object;
  readonly cases: readonly AnyCase[];
}

/** A document of the file: it exists already, or is a proposal for its rule set. */
type Entry = { readonly one: Imported; readonly set: RuleSet | undefined };

/** The timeout of all validations of a file. Each document has limits of its own in the analysis worker. */
const patienceMs = 120_000;

/**
 * Returns the validations, which run one after the other once the transaction has ended. Throws VALIDATION_ERROR for a hash
 * that is not the text's, an unknown rule set and a document that does not pass validation; CONFLICT `differs` for a
 * version that is published here with another text or other cases, `not_next` for one that is not the next.
 */
export async function importValidations(services: Services, trx: Trx, documents: readonly Imported[], now: Date) {
  refuse(documents.flatMap(wrongHashes), 'A hash is not that of its text; see details.');
  refuse(documents.flatMap(repeated), 'A document is listed twice; see details.');
  const fresh = (await entriesOf(trx, documents)).filter(({ set }) => set !== undefined);
  return async (): Promise<ValidationResult[]> => {
    const startedAt = performance.now();
    const validations: ValidationResult[] = [];
    for (const entry of fresh) {
      if (performance.now() - startedAt > patienceMs) throw invalid('documents', 'too_complex');
      validations.push(await validated(services, entry, now));
    }
    return validations;
  };
}

/** Reads the input of one validation when it is due, because the inputs of hundreds of documents would need much memory. */
async function validated(services: Services, { one, set }: Entry, now: Date): Promise<ValidationResult> {
  const rules = set as RuleSet;
  const validate = await inReadOnlyContext(services.db, 'SUPER', (trx) =>
    proposalValidation(services, trx, rules, proposalOf(one, rules), now),
  );
  return validate();
}

/** Imports all documents, or none. `verdicts` are the results of the new ones, in their order. Throws as `prepareImport` does. */
export async function importBundle(
  trx: Trx,
  documents: readonly Imported[],
  validations: readonly ValidationResult[],
  userId: number,
  now: Date,
) {
  const results = [];
  const left = [...validations];
  for (const { one, set } of await entriesOf(trx, documents)) {
    const { family, key, version } = one;
    const draftId = set ? await propose(trx, one, set, left.shift(), userId, now) : null;
    const result = draftId === null ? ('present' as const) : ('in_review' as const);
    results.push({ family, key, version, result, draftId });
  }
  return { results };
}

async function entriesOf(trx: Trx, documents: readonly Imported[]): Promise<Entry[]> {
  const here = await hashesHere(trx, documents);
  const entries: Entry[] = [];
  for (const [at, one] of documents.entries()) {
    const known = here.get(idOf(one));
    if (known !== undefined && (known.sha256 !== one.sha256 || known.goldenSha256 !== one.goldenSha256))
      throw conflictAt(at, 'differs', 'is published with another text or other cases');
    entries.push({ one, set: known === undefined ? await nextIn(trx, one, at) : undefined });
  }
  return entries;
}

/** Returns the rule set of which this is the next version. */
async function nextIn(trx: Trx, { family, key, version, document }: Imported, at: number): Promise<RuleSet> {
  const set = await lookUpRuleSet(trx, family, key);
  if (!set) throw invalid(`documents.${at}.key`, 'is not a rule set of this service');
  const next = set.newestVersion + 1;
  if (version !== next) throw conflictAt(at, 'not_next', `is not the next version: that is ${next}`);
  if (metaOf(document).version !== version)
    throw invalid(`documents.${at}.document.meta.version`, `must be ${version}`);
  return set;
}

const proposalOf = ({ document, cases }: Imported, { newestVersion: baseVersion }: RuleSet): Proposal => ({
  baseVersion,
  document,
  cases,
});

async function propose(
  trx: Trx,
  one: Imported,
  set: RuleSet,
  validation: ValidationResult | undefined,
  userId: number,
  now: Date,
): Promise<string> {
  if (!validation) throw conflict('moved', 'The rule sets have changed meanwhile. Try again.', 'documents');
  return (await proposeDraft(trx, set, proposalOf(one, set), validation, userId, now)).draft.id;
}

const idOf = ({ family, key, version }: Imported) => `${family}/${key}@${version}`;

type Hashes = Pick<Imported, 'sha256' | 'goldenSha256'>;

async function hashesHere(trx: Trx, documents: readonly Imported[]): Promise<Map<string, Hashes>> {
  const rows: (Hashes & { id: string })[] = await RuleVersion.query(trx)
    .whereIn('id', documents.map(idOf))
    .select('id', 'sha256', 'goldenSha256');
  return new Map(rows.map((row) => [row.id, row]));
}

const conflictAt = (at: number, issue: string, words: string) =>
  new AppError('CONFLICT', `A document of the file ${words}; nothing was taken in.`, {
    details: [{ field: `documents.${at}.version`, issue }],
  });

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
