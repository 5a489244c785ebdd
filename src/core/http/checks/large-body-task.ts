// The task of the thread that reads large bodies: it parses and checks them as the thread that serves requests does.
import { Transferred } from '../../platform/process/worker-tasks.ts';
import { canonicalHash, sha256Hex } from '../../platform/pure/canonical-json.ts';
import { jsonValidator } from '../../platform/pure/json-schema.ts';
import { bodyValue } from './body-value.ts';
import type { LargeBody, LongText, ReadLargeBody } from './large-body.ts';
import { check, refuseInvalidBody, type SchemaCheck } from './validation.ts';

/** Shorter texts are cloned with the rest of the value. */
const longLetters = 64 * 1024;

/** The checks by schema text; few operations accept large bodies. */
const checks = new Map<string, SchemaCheck>();

/** Throws VALIDATION_ERROR. */
export async function readLargeBody({ schema, ...sent }: LargeBody): Promise<Transferred> {
  const sizeBytes = sent.bytes.length;
  const value = bodyValue(sent);
  refuseInvalidBody(checkOf(schema), value, sizeBytes);
  const texts: LongText[] = [];
  takeLongTexts(value, [], texts);
  const digests = texts.map(({ at, bytes }) => [JSON.stringify(at), sha256Hex(bytes)]);
  const digest = canonicalHash({ value, texts: Object.fromEntries(digests) });
  const buffers = texts.map(({ bytes }) => bytes.buffer as ArrayBuffer);
  return new Transferred({ value, texts, digest } satisfies ReadLargeBody, buffers);
}

function checkOf(schema: string): SchemaCheck {
  const known = checks.get(schema) ?? check(jsonValidator(() => JSON.parse(schema)));
  checks.set(schema, known);
  return known;
}

/** Moves long texts to `taken` and leaves empty ones in their place. */
function takeLongTexts(holder: unknown, at: readonly string[], taken: LongText[]): void {
  if (typeof holder !== 'object' || holder === null) return;
  const members = holder as Record<string, unknown>;
  for (const key of Object.keys(members)) {
    const member = members[key];
    if (typeof member === 'object') takeLongTexts(member, [...at, key], taken);
    else if (typeof member === 'string' && member.length >= longLetters && isAscii(member)) {
      taken.push({ at: [...at, key], bytes: new Uint8Array(Buffer.from(member, 'latin1')) });
      members[key] = '';
    }
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII
const isAscii = (text: string) => /^[\x00-\x7f]*$/.test(text);
