// A constant that several documents hold has one value: a draft that changes it needs new versions of the other documents.
// These are its companions, which are looked for among open drafts and published versions.
import type { Trx } from '#core/platform/db.ts';
import { AppError } from '#core/platform/errors.ts';
import {
  type DocumentName,
  type DocumentValidators,
  documentName,
  parseRuleDocument,
  type RuleDocument,
  RuleDocumentError,
} from '#rules/rulesets/engine/index.ts';

/** An open draft or a published version: exactly one of `draftId` and `version` is set. */
export interface CompanionName {
  readonly family: string;
  readonly key: string;
  readonly draftId?: string;
  readonly version?: number;
  readonly sha256: string;
}

export interface Companion {
  readonly name: CompanionName;
  readonly text: string;
  readonly document: RuleDocument;
}

/** Returns the names of documents that hold another value of a constant than `changed` do. Pure. */
export function disagreeing(documents: readonly RuleDocument[], changed: readonly RuleDocument[]): DocumentName[] {
  const replaced = new Set(changed.map(documentName));
  return documents
    .filter((one) => !replaced.has(documentName(one)) && !changed.every((other) => agree(one, other)))
    .map(documentName);
}

/** Whether all constants that both documents hold have the same values. Pure. */
export const agree = (one: RuleDocument, other: RuleDocument): boolean =>
  Object.entries(one.constants ?? {}).every(([id, { value }]) => {
    const there = other.constants?.[id];
    return there === undefined || there.value === value;
  });

/**
 * Returns the companions that have to come into force together with `changed`, so that no constant has two values: the first
 * combination of candidates that agree with each other, one for each document that disagrees. A companion may need further
 * ones. `candidates` are in the order of preference. Throws CONFLICT `constants_disagree` with the documents for which there is
 * none. Pure.
 */
export function companionsAmong(
  documents: readonly RuleDocument[],
  changed: readonly RuleDocument[],
  candidates: readonly Companion[],
): Companion[] {
  const found = search(documents, changed, candidates);
  if (found) return found;
  const open = disagreeing(documents, changed);
  const hopeless = open.filter((name) => fitting(name, changed, candidates).length === 0);
  throw constantsDisagree(hopeless.length > 0 ? hopeless : open);
}

/** Searches document by document, with backtracking where a choice leaves no candidate for the next. */
function search(
  documents: readonly RuleDocument[],
  inForce: readonly RuleDocument[],
  candidates: readonly Companion[],
): Companion[] | undefined {
  const [open] = disagreeing(documents, inForce);
  if (open === undefined) return [];
  for (const companion of fitting(open, inForce, candidates)) {
    const others = search(documents, [...inForce, companion.document], candidates);
    if (others) return [companion, ...others];
  }
  return undefined;
}

const fitting = (name: DocumentName, inForce: readonly RuleDocument[], candidates: readonly Companion[]) =>
  candidates.filter(({ document }) => documentName(document) === name && inForce.every((one) => agree(document, one)));

const constantsDisagree = (names: readonly DocumentName[]): AppError =>
  new AppError(
    'CONFLICT',
    'Other documents quote another value of a constant. Change them too, in drafts of their own, and try again.',
    { details: names.map((field) => ({ field, issue: 'constants_disagree' })) },
  );

/** A candidate whose text has not been parsed yet. */
export interface CandidateText {
  readonly name: CompanionName;
  readonly text: string;
}

/** As `companionsAmong`, of texts. A text that is not a valid document is no candidate. */
export const companionsFrom = (
  documents: readonly RuleDocument[],
  changed: readonly RuleDocument[],
  candidates: readonly CandidateText[],
  validators: DocumentValidators,
): Companion[] =>
  disagreeing(documents, changed).length === 0
    ? []
    : companionsAmong(
        documents,
        changed,
        candidates.flatMap((one) => readable(one, validators)),
      );

/** Returns the active documents, with companions in the place of those that disagree, as far as there are any. */
export function accompanied(
  document: RuleDocument,
  active: readonly RuleDocument[],
  candidates: readonly CandidateText[],
  validators: DocumentValidators,
): readonly RuleDocument[] {
  try {
    const companions = companionsFrom(active, [document], candidates, validators).map((one) => one.document);
    const replaced = new Set(companions.map(documentName));
    return [...active.filter((one) => !replaced.has(documentName(one))), ...companions];
  } catch (error) {
    if (error instanceof AppError && error.code === 'CONFLICT') return active;
    throw error;
  }
}

interface OwnText {
  readonly family: string;
  readonly key: string;
  readonly document: string;
}

/**
 * Returns the candidates for a draft, validated drafts first. There are none when its text, which may hold anything, changes no
 * constant of the documents in force.
 */
export async function candidateTexts(
  trx: Trx,
  documents: readonly RuleDocument[],
  { family, key, document }: OwnText,
): Promise<CandidateText[]> {
  const others = documents.filter((one) => documentName(one) !== `${family}/${key}`);
  const written = constantsIn(document);
  if (!others.some((one) => quotesOtherwise(one, written))) return [];
  const sharing = others.filter((one) => one.constants !== undefined);
  const names = sharing.map(({ meta }) => [meta.family, meta.key]);
  return [...(await openDrafts(trx, names)), ...(await versions(trx, names))];
}

type Written = Readonly<Record<string, { readonly value?: unknown } | null>>;

/** Only reads the JSON, because the text has not been validated. */
function constantsIn(text: string): Written {
  const { constants } = (jsonOf(text) ?? {}) as { constants?: Written | null };
  return typeof constants === 'object' && constants !== null ? constants : {};
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

const quotesOtherwise = ({ constants = {} }: RuleDocument, written: Written): boolean =>
  Object.entries(constants).some(([id, { value }]) => Object.hasOwn(written, id) && written[id]?.value !== value);

interface TextRow {
  readonly family: string;
  readonly key: string;
  readonly sha256: string;
  readonly document: string;
}

/** Validated drafts come first, then the newest. */
async function openDrafts(trx: Trx, names: readonly (readonly string[])[]): Promise<CandidateText[]> {
  const rows: (TextRow & { id: string })[] = await trx('rule_draft')
    .whereIn(['family', 'key'], names as string[][])
    .whereIn('state', ['draft', 'validated', 'in_review'])
    .orderByRaw("state = 'draft', updated_at desc, id desc")
    .limit(mostDrafts)
    .select('id', 'family', 'key', 'sha256', 'document');
  return rows.map(({ id: draftId, family, key, sha256, document: text }) => {
    return { name: { family, key, draftId, sha256 }, text };
  });
}

/** The bound of open drafts that are read, each of which may be as large as a request. */
const mostDrafts = 50;

async function versions(trx: Trx, names: readonly (readonly string[])[]): Promise<CandidateText[]> {
  const rows: (TextRow & { version: number })[] = await trx('rule_version')
    .whereIn(['family', 'key'], names as string[][])
    .orderBy([{ column: 'version', order: 'desc' }, 'family', 'key'])
    .select('version', 'family', 'key', 'sha256', 'document');
  return rows.map(({ version, family, key, sha256, document: text }) => {
    return { name: { family, key, version, sha256 }, text };
  });
}

function readable({ name, text }: CandidateText, validators: DocumentValidators): Companion[] {
  try {
    const document = parseRuleDocument(text, validators);
    return documentName(document) === `${name.family}/${name.key}` ? [{ name, text, document }] : [];
  } catch (error) {
    if (error instanceof RuleDocumentError) return [];
    throw error;
  }
}
