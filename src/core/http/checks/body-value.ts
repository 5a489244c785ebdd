// Parses the bytes of a body, on the thread that serves requests and on the one that reads large bodies.
import { invalid } from '../../platform/errors.ts';
import { duplicateKeys } from '../../platform/parsing/duplicate-keys.ts';
import { exceededBound, type JsonBounds } from '../../platform/parsing/json-size.ts';
import { formValue } from './form.ts';

export interface SentBody {
  readonly bytes: Uint8Array;
  readonly contentType: string;
  readonly contentEncoding: string;
  /** Whether the operation accepts forms and this body is one. */
  readonly isForm: boolean;
}

/**
 * No operation needs deep nesting. The largest real body, a batch of blueprints of 3.3 MB, holds 120,000 values; twice as many are
 * cloned to the thread that serves requests in about 50 ms.
 */
const bounds: JsonBounds = { values: 250_000, members: 250_000, depth: 64 };

export const tooComplex = () =>
  invalid('', 'too_complex', 'The body holds too many values, or takes too long to read. Send it in parts.');

/** Returns the value of a body; an empty body counts as `{}`. Throws VALIDATION_ERROR. */
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

/** Refuses duplicate keys: JSON.parse keeps the last one, and the sender may have meant the first. */
function jsonValue(bytes: Uint8Array): unknown {
  const exceeded = exceededBound(bytes, bounds);
  if (exceeded !== undefined && exceeded !== 'depth') throw tooComplex();
  const { text, value } = readJson(bytes);
  if (exceeded === 'depth') throw invalid('', `is nested deeper than ${bounds.depth}`);
  const [twice] = duplicateKeys(text);
  if (twice !== undefined) throw invalid(twice.isWellFormed() ? twice : '', 'is given twice');
  // Valid UTF-8 has no lone surrogates, and JSON text no U+0000: only escapes can produce them.
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

/** Throws for texts with U+0000, which PostgreSQL cannot store, or a lone surrogate, which is not Unicode text. */
function refuseUnstorable(value: unknown): void {
  const found = unstorable(value);
  if (found) throw invalid(found.at.join('.'), found.issue);
}

interface Unstorable {
  readonly issue: string;
  readonly at: readonly string[];
}

/** Builds the path only for a value that is refused: most bodies have none. */
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
