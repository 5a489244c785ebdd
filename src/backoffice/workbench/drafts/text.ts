// Turns what a person sends into the text that is hashed, reviewed and frozen.
import { conflict, invalid } from '#core/platform/errors.ts';
import { canonicalJson, sha256Hex } from '#core/platform/pure/canonical-json.ts';
import { type AnyCase, isCaseList } from '#rules/rulesets/index.ts';

type Json = Readonly<Record<string, unknown>>;

export interface DraftText {
  /** RFC 8785 text. */
  readonly document: string;
  readonly sha256: string;
}

export interface Place {
  readonly family: string;
  readonly key: string;
  readonly baseVersion: number;
}

/**
 * Returns the canonical text of a document of this set, with the version after the base, so that authors need not count.
 * Throws VALIDATION_ERROR for a document of another set or another version.
 */
export function draftText(document: object, { family, key, baseVersion }: Place): DraftText {
  const meta = metaOf(document);
  if (meta.family !== family) throw invalid('document.meta.family', `must be ${family}`);
  if (meta.key !== key) throw invalid('document.meta.key', `must be ${key}`);
  const version = baseVersion + 1;
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
export function requireChange(base: string, draft: string): void {
  if (!isSameContent(base, draft)) return;
  throw conflict('no_change', 'The document says the same as the version that it starts from.', 'document');
}

/** Whether two texts differ at most in their version number. */
export const isSameContent = (one: string, other: string): boolean => withoutVersion(one) === withoutVersion(other);

function withoutVersion(text: string): string {
  const document = JSON.parse(text) as { meta: Json };
  return canonicalJson({ ...document, meta: { ...document.meta, version: 0 } });
}
