// Canonical JSON (RFC 8785): one text for one value, so that hashes and replays compare bytes.
import { createHash } from 'node:crypto';

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/**
 * RFC 8785 text of a JSON value: keys sorted by UTF-16 code units, ECMAScript number and string forms.
 * Properties that are `undefined` are left out, as JSON.stringify does. Throws TypeError on a non-finite number,
 * on a lone surrogate, and on anything that is not JSON.
 */
export function canonicalJson(value: unknown): string {
  if (value === null) return 'null';
  switch (typeof value) {
    case 'string':
      return quoted(value);
    case 'number':
      return finite(value);
    case 'boolean':
      return value ? 'true' : 'false';
    case 'object':
      return Array.isArray(value) ? canonicalArray(value) : canonicalObject(value as Record<string, unknown>);
    default:
      throw new TypeError(`not JSON: ${typeof value}`);
  }
}

function finite(value: number): string {
  if (!Number.isFinite(value)) throw new TypeError(`not JSON: ${value}`);
  return Object.is(value, -0) ? '0' : String(value);
}

function canonicalArray(list: readonly unknown[]): string {
  let text = '';
  for (const member of list) text += text === '' ? canonicalJson(member) : `,${canonicalJson(member)}`;
  return `[${text}]`;
}

function canonicalObject(value: Record<string, unknown>): string {
  let text = '';
  for (const key of Object.keys(value).sort()) {
    const member = value[key];
    if (member === undefined) continue;
    text += `${text === '' ? '' : ','}${quoted(key)}:${canonicalJson(member)}`;
  }
  return `{${text}}`;
}

/** Ids, codes and instants need no escape; they are most of what is hashed. */
const plainText = /^[\w .:@/+-]*$/;

function quoted(text: string): string {
  if (plainText.test(text)) return `"${text}"`;
  if (!text.isWellFormed()) throw new TypeError('not JSON: lone surrogate');
  return JSON.stringify(text);
}

/** SHA-256 of a text, lower-case hex. */
export function sha256Hex(text: string | Uint8Array): string {
  return createHash('sha256').update(text).digest('hex');
}

/** SHA-256 of the canonical text, lower-case hex. */
export function canonicalHash(value: unknown): string {
  return sha256Hex(canonicalJson(value));
}
