// Canonical JSON (RFC 8785): one text for one value, so that hashes and replays compare bytes.
import { createHash } from 'node:crypto';

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/**
 * RFC 8785 text of a JSON value: keys sorted by UTF-16 code units, ECMAScript number and string forms.
 * Properties that are `undefined` are left out, as JSON.stringify does. Throws TypeError on a non-finite number,
 * on a lone surrogate, and on anything that is not JSON.
 */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new TypeError(`not JSON: ${value}`);
    return JSON.stringify(value);
  }
  if (typeof value === 'string') {
    if (!value.isWellFormed()) throw new TypeError('not JSON: lone surrogate');
    return JSON.stringify(value);
  }
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value === 'object') return canonicalObject(value as Record<string, unknown>);
  throw new TypeError(`not JSON: ${typeof value}`);
}

function canonicalObject(value: Record<string, unknown>): string {
  const members = Object.keys(value)
    .filter((key) => value[key] !== undefined)
    .sort()
    .map((key) => `${canonicalJson(key)}:${canonicalJson(value[key])}`);
  return `{${members.join(',')}}`;
}

/** SHA-256 of a text, lower-case hex. */
export function sha256Hex(text: string | Uint8Array): string {
  return createHash('sha256').update(text).digest('hex');
}

/** SHA-256 of the canonical text, lower-case hex. */
export function canonicalHash(value: unknown): string {
  return sha256Hex(canonicalJson(value));
}
