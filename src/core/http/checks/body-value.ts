// From the bytes of a body to its value, the same on the thread that serves requests and on the one that reads large bodies.
import { invalid } from '../../platform/errors.ts';
import { duplicateKeys } from '../../platform/parsing/duplicate-keys.ts';
import { exceededBound, type JsonBounds } from '../../platform/parsing/json-size.ts';
import { formValue } from './form.ts';

export interface SentBody {
  readonly bytes: Uint8Array;
  readonly contentType: string;
  readonly contentEncoding: string;
  /** The operation takes forms, and this is one. */
  readonly isForm: boolean;
}

/**
 * Deep nesting serves no operation. The greatest body that somebody sends in earnest, a batch of blueprints of 3.3 MB, holds
 * 120,000 values; twice as many are built again on the thread that serves requests within some 50 ms.
 */
const bounds: JsonBounds = { values: 250_000, members: 250_000, depth: 64 };

export const tooComplex = () =>
  invalid('', 'too_complex', 'The body holds too many values, or takes too long to read. Send it in parts.');

/** No bytes at all count as `{}`. Throws VALIDATION_ERROR. */
export function bodyValue({ bytes, contentType, contentEncoding, isForm }: SentBody): unknown {
  if (bytes.length === 0) return {};
  if (!isForm && !isJson(contentType)) {
    throw invalid('', 'is not application/json', 'Send the body as application/json in UTF-8.');
  }
  if (contentEncoding !== 'identity') {
    throw invalid('', 'is compressed', 'Send the body without Content-Encoding.');
  }
  if (!isForm) return jsonValue(bytes);
  const value = formValue(bytes, contentType);
  refuseUnstorable(value);
  return value;
}

const isJson = (contentType: string) =>
  /^application\/json\s{0,9}(;\s{0,9}charset="?utf-8"?\s{0,9})?$/i.test(contentType);

/** A key that is given twice is refused: JSON.parse keeps the last one, and a reader may have meant the first. */
function jsonValue(bytes: Uint8Array): unknown {
  const exceeded = exceededBound(bytes, bounds);
  if (exceeded !== undefined && exceeded !== 'depth') throw tooComplex();
  const { text, value } = readJson(bytes);
  if (exceeded === 'depth') throw invalid('', `is nested deeper than ${bounds.depth}`);
  const [twice] = duplicateKeys(text);
  if (twice !== undefined) throw invalid(twice.isWellFormed() ? twice : '', 'is given twice');
  // Bytes that are UTF-8 become text without lone surrogates, and JSON holds no U+0000: only an escape brings them in.
  if (text.includes('\\u')) refuseUnstorable(value);
  return value;
}

function readJson(bytes: Uint8Array): { readonly text: string; readonly value: unknown } {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return { text, value: JSON.parse(text) };
  } catch {
    throw invalid('', 'is not JSON', 'The body is not valid JSON in UTF-8.');
  }
}

/** PostgreSQL cannot store U+0000, and a lone surrogate is not Unicode text. */
function refuseUnstorable(value: unknown): void {
  const found = unstorable(value);
  if (found) throw invalid(found.at.join('.'), found.issue);
}

interface Unstorable {
  readonly issue: string;
  readonly at: readonly string[];
}

/** The place is put together for what is refused alone: most bodies have none. */
function unstorable(value: unknown): Unstorable | undefined {
  if (typeof value === 'string')
    return isText(value) ? undefined : { issue: 'holds characters that are not text', at: [] };
  if (typeof value !== 'object' || value === null) return undefined;
  for (const key of Object.keys(value)) {
    if (!isText(key)) return { issue: 'holds a name that is not text', at: [] };
    const found = unstorable((value as Record<string, unknown>)[key]);
    if (found) return { ...found, at: [key, ...found.at] };
  }
  return undefined;
}

const isText = (text: string) => !text.includes('\0') && text.isWellFormed();
