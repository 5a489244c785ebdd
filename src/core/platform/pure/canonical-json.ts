// Canonical JSON (RFC 8785): one text for one value, so that hashes and replays compare bytes.
import { hash } from 'node:crypto';

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
  const keys = Object.keys(value);
  const { order, names } = shapeOf(keys);
  let text = '';
  for (let at = 0; at < order.length; at++) {
    const member = value[order[at] as string];
    if (member === undefined) continue;
    text += `${text === '' ? '' : ','}${names[at]}${canonicalJson(member)}`;
  }
  return `{${text}}`;
}

/** Keys of objects in their given order, with their canonical order and texts: most objects share a few shapes. */
interface Shape {
  readonly keys: readonly string[];
  readonly order: readonly string[];
  readonly names: readonly string[];
}

const shapes = new Map<string, Shape[]>();
/** The most shapes by first key, keys of one shape, and first keys in the cache, because data may have any number of them. */
const limits = { alike: 8, keys: 40, first: 500 } as const;

function shapeOf(keys: readonly string[]): Shape {
  const first = keys[0] ?? '';
  const alike = shapes.get(first);
  const known = alike?.find((shape) => isSameList(shape.keys, keys));
  if (known) return known;
  const order = [...keys].sort();
  const shape = { keys, order, names: order.map((key) => `${quoted(key)}:`) };
  if (keys.length > limits.keys) return shape;
  if (alike && alike.length < limits.alike) alike.push(shape);
  else if (!alike && shapes.size < limits.first) shapes.set(first, [shape]);
  return shape;
}

function isSameList(one: readonly string[], other: readonly string[]): boolean {
  if (one.length !== other.length) return false;
  for (let at = 0; at < one.length; at++) if (one[at] !== other[at]) return false;
  return true;
}

/** Ids, codes and instants need no escapes; they are most of what is hashed. */
const plainText = /^[\w .:@/+-]*$/;

function quoted(text: string): string {
  if (plainText.test(text)) return `"${text}"`;
  if (!text.isWellFormed()) throw new TypeError('not JSON: lone surrogate');
  return JSON.stringify(text);
}

/** Returns the SHA-256 of a text in lower-case hex. */
export function sha256Hex(text: string | Uint8Array): string {
  return hash('sha256', text);
}

/** Returns the SHA-256 of the canonical text in lower-case hex. */
export function canonicalHash(value: unknown): string {
  return sha256Hex(canonicalJson(value));
}
