// Turns what a person sends into the text that is hashed, reviewed and frozen.
import { conflict, invalid } from '#core/platform/errors.ts';
import { canonicalJson, sha256Hex } from '#core/platform/pure/canonical-json.ts';
import { type AnyCase, isCaseList } from '#rules/rulesets/index.ts';

type Json = Readonly<Record<string, unknown>>;

export interface ChangeText {
  /** RFC 8785 text. */
  readonly document: string;
  readonly sha256: string;
}

export interface Place {
  readonly family: string;
  readonly key: string;
  readonly baseVersion: number;
  /** The number that the text gets. */
  readonly version: number;
}

/**
 * Returns the canonical text of a document of this set, with the number that it gets, so that authors need not count.
 * Throws VALIDATION_ERROR for a document of another set or another version.
 */
export function changeText(document: object, { family, key, baseVersion, version }: Place): ChangeText {
  const meta = metaOf(document);
  if (meta.family !== family) throw invalid('document.meta.family', `must be ${family}`);
  if (meta.key !== key) throw invalid('document.meta.key', `must be ${key}`);
  if (![undefined, baseVersion, version].includes(meta.version as number | undefined)) {
    throw invalid('document.meta.version', `must be ${version}: the base is version ${baseVersion}`);
  }
  const text = canonicalText({ ...document, meta: { ...meta, version } }, 'document');
  return { document: text, sha256: sha256Hex(text) };
}

/** Returns RFC 8785 text. Throws VALIDATION_ERROR for `field` with a number like `1e400`, which JSON reads as infinite. */
export function canonicalText(document: object, field: string): string {
  try {
    return canonicalJson(document);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw invalid(field, 'holds a number that is not finite');
  }
}

export function metaOf(document: object): Json {
  const { meta } = document as Json;
  if (typeof meta !== 'object' || meta === null || Array.isArray(meta)) {
    throw invalid('document.meta', 'must be an object');
  }
  return meta as Json;
}

/** Throws VALIDATION_ERROR for anything but a list of golden cases with unique names. */
export function caseList(cases: unknown): readonly AnyCase[] {
  if (!isCaseList(cases)) throw invalid('cases', 'must be a list of golden cases: name, facts, expected');
  const names = cases.map(({ name }) => name);
  const twice = names.findIndex((name, at) => names.indexOf(name) < at);
  if (twice >= 0) throw invalid(`cases.${twice}.name`, 'is used twice');
  return cases;
}

/** Throws CONFLICT `no_change` when two texts differ at most in their version number. */
export function requireChange(base: string, text: string): void {
  if (!isSameContent(base, text)) return;
  throw conflict('no_change', 'The document says the same as the version that it starts from.', 'document');
}

/** Whether two texts differ at most in their version number. */
export const isSameContent = (one: string, other: string): boolean => withoutVersion(one) === withoutVersion(other);

function withoutVersion(text: string): string {
  const document = JSON.parse(text) as { meta: Json };
  return canonicalJson({ ...document, meta: { ...document.meta, version: 0 } });
}

/** The bound of a text with its cases. */
const mostBytes = 256 * 1024;

export interface CaseText {
  /** RFC 8785 text of `{cases}`; null without cases. */
  readonly cases: string | null;
  readonly casesSha256: string | null;
}

export function caseText(cases: readonly AnyCase[]): CaseText {
  if (cases.length === 0) return { cases: null, casesSha256: null };
  const text = canonicalJson({ cases });
  return { cases: text, casesSha256: sha256Hex(text) };
}

/** Throws VALIDATION_ERROR for a text that is larger, with its cases, than 256 KiB. */
export function requireSize({ document, cases }: { readonly document: string; readonly cases: string | null }): void {
  if (Buffer.byteLength(document) + Buffer.byteLength(cases ?? '') <= mostBytes) return;
  throw invalid('document', 'is larger, with its cases, than 256 KiB');
}

const address = /[^\s@]@[^\s@.]{1,63}\.[^\s@]/u;
const number = /\p{Nd}{7}/u;

/** Throws VALIDATION_ERROR `looks_personal` for an e-mail address or a number of a person: these texts speak of rules. */
export function requireImpersonal(field: string, text: string): void {
  const folded = text.normalize('NFKC');
  if (!address.test(folded) && !number.test(folded)) return;
  throw invalid(field, 'looks_personal', 'This speaks of rules: leave out addresses and numbers of people.');
}
