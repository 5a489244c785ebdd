// Imports a file of another service. A version is known by its content, not by its number there: what is here already is present,
// and what is not waits for approval as the next version here, all of it in one change, since a file does not replace the review by
// a second person.

import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { AppError, conflict, type ErrorDetail, invalid } from '#core/platform/errors.ts';
import { canonicalHash, sha256Hex } from '#core/platform/pure/canonical-json.ts';
import type { AnyCase, DocumentName } from '#rules/rulesets/index.ts';
import { type Base, type BaseText, basesOf } from '../changes/bases.ts';
import { type NewText, textOnBase } from '../changes/documents/text-of-change.ts';
import { baseTextsOf, mostDocuments, type SentDocument } from '../changes/edit.ts';
import { type CheckResult, prepareCheck, requireSameRules } from '../changes/prepare-check.ts';
import { nameOfDocument } from '../changes/store.ts';
import { canonicalText, metaOf } from '../changes/text.ts';
import { passed, proposeChange } from '../proposals/propose.ts';
import { openFamilies } from '../published/scopes.ts';
import { casesOf } from '../published/store.ts';
import { whileEditing } from '../validation/engine/reference-check.ts';
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

/** A document of the file, and what it starts from here. */
interface Entry {
  readonly one: Imported;
  readonly base: Base;
  readonly baseText: BaseText | undefined;
  /** The version here that says the same; undefined where it is a proposal for the next one. */
  readonly present: number | undefined;
}

/** The new texts as they were checked together. */
interface CheckedImport {
  readonly texts: readonly NewText[];
  /** Null where nothing is new. */
  readonly result: CheckResult | null;
}

/**
 * Returns the check of all new texts, to be run once the transaction has ended. Throws VALIDATION_ERROR for a hash that is not the
 * text's, an unknown rule set, more new texts than a change holds and a text that does not pass.
 */
export async function importCheck(services: Services, trx: Trx, file: ImportedFile, now: Date) {
  const { documents } = file;
  refuse(documents.flatMap(wrongHashes), 'A hash is not that of its text; see details.');
  refuse(documents.flatMap(repeated), 'A document is listed twice; see details.');
  const fresh = (await entriesOf(trx, documents, now)).filter(({ present }) => present === undefined);
  if (fresh.length > mostDocuments) {
    throw invalid('documents', `holds ${fresh.length} new documents, and a change at most ${mostDocuments}`);
  }
  const texts = fresh.map((entry) => textOf(entry, file));
  if (texts.length === 0) return async (): Promise<CheckedImport> => ({ texts, result: null });
  const check = await prepareCheck(services, trx, texts, whileEditing, now);
  return async (): Promise<CheckedImport> => ({ texts, result: passed(await check()) });
}

/**
 * Imports all documents, or none. Throws CONFLICT `moved` when a version was published since the check, `rules_moved` when other
 * rules have come into force, and what `proposeChange` throws.
 */
export async function importBundle(
  services: Services,
  trx: Trx,
  file: ImportedFile,
  checked: CheckedImport,
  userId: number,
  now: Date,
) {
  const entries = await entriesOf(trx, file.documents, now);
  const fresh = entries.filter(({ present }) => present === undefined);
  const proposals = fresh.map((entry) => sentText(entry, file));
  const texts = fresh.map((entry) => textOf(entry, file));
  if (texts.map(({ sha256 }) => sha256).join() !== checked.texts.map(({ sha256 }) => sha256).join()) throw moved();
  const changeId = checked.result ? await propose(services, trx, file, proposals, checked.result, userId, now) : null;
  return {
    results: entries.map(({ one: { family, key }, base, present }) =>
      present === undefined
        ? { family, key, version: base.newest + 1, result: 'in_review' as const, changeId }
        : { family, key, version: present, result: 'present' as const, changeId: null },
    ),
  };
}

async function propose(
  services: Services,
  trx: Trx,
  { service }: ImportedFile,
  documents: readonly SentDocument[],
  result: CheckResult,
  userId: number,
  now: Date,
): Promise<string> {
  await requireSameRules(services, trx, result, now);
  const title = `Import from ${service ?? 'a file'}`.slice(0, longestTitle);
  return (await proposeChange(trx, { title, documents }, result, userId, now)).id;
}

const longestTitle = 120;

const moved = () => conflict('moved', 'The rule sets have changed meanwhile. Try again.', 'documents');

async function entriesOf(trx: Trx, documents: readonly Imported[], now: Date): Promise<Entry[]> {
  const present = await presentVersions(trx, documents);
  const bases = await basesOf(trx, documents.map(nameOfDocument), now);
  const texts: ReadonlyMap<DocumentName, BaseText> = await baseTextsOf(trx, bases);
  return documents.map((one, at) => {
    const name = nameOfDocument(one);
    const base = bases.get(name);
    if (!base || (base.newest === 0 && !openFamilies.has(one.family))) {
      throw invalid(`documents.${at}.key`, 'is not a rule set of this service');
    }
    return { one, base, baseText: texts.get(name), present: present.get(one) };
  });
}

/** The text without its number there, and its cases on top of those of the base here. */
function sentText({ one, base, baseText }: Entry, { service }: ImportedFile): SentDocument {
  const { family, key, document, version, sha256 } = one;
  const origin = { service: service ?? null, version, sha256 };
  const { version: _version, ...meta } = metaOf(document);
  const cases = importedCases(one.cases, baseText ? casesOf(baseText) : [], origin);
  return { family, key, baseVersion: base.version, document: { ...document, meta }, cases, origin };
}

const textOf = (entry: Entry, file: ImportedFile): NewText =>
  textOnBase(entry.one, entry.base, entry.baseText, sentText(entry, file));

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
