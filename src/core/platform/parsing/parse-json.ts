// The task of the parsing thread for JSON.
import { exceededBound, type JsonBounds } from './json-size.ts';

export interface JsonQuestion {
  readonly bytes: Uint8Array;
  readonly bounds: JsonBounds;
}

/** `no_json`: the bytes are not JSON in UTF-8; `too_complex`: a bound, or the memory of a thread, is exceeded. */
export type ParsedJson = { readonly value: unknown } | { readonly fault: 'no_json' | 'too_complex' };

export async function parseJson({ bytes, bounds }: JsonQuestion): Promise<ParsedJson> {
  if (exceededBound(bytes, bounds)) return { fault: 'too_complex' };
  try {
    return { value: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) };
  } catch {
    return { fault: 'no_json' };
  }
}
