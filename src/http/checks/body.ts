// Reads a request body completely, outside any transaction, and understands it only when its turn comes.
import type { IncomingMessage } from 'node:http';
import { type AppError, invalid } from '../../platform/errors.ts';
import { duplicateKeys } from '../../platform/pure/duplicate-keys.ts';
import { type BodyBudget, budgetSpent } from './body-budget.ts';

export const defaultBodyLimitBytes = 256 * 1024;
/** For public routes: nobody is known there, and none of them takes a long text. */
export const smallBodyLimitBytes = 16 * 1024;
const maxDepth = 64;

/** Held once: the bytes until they are understood, from then on what they say. */
export interface RawBody {
  /** `value`: also of a form, which stands for the JSON that it could have been. */
  content: { readonly bytes: Buffer } | { readonly refusal: AppError } | { readonly value: unknown };
}

export interface IncomingBody {
  /** More than the ordinary limit is announced, or nothing is: worth asking the database who sends it first. */
  readonly mayBeLarge: boolean;
  /** Never throws for what the client sent: a refusal is kept until the checks that come first have passed. */
  read(): Promise<RawBody>;
  /** Gives the bytes back to the budget, when the request is answered. */
  release(): void;
}

export function incomingBody(request: IncomingMessage, budget: BodyBudget, limitBytes: number): IncomingBody {
  const announced = request.headers['content-length'];
  const declaredBytes = Number(announced ?? 0);
  let heldBytes = 0;
  const read = async (): Promise<RawBody> => {
    if (declaredBytes > limitBytes) return refused(tooLarge(limitBytes));
    const gathered = gathering(declaredBytes);
    try {
      for await (const chunk of request.iterator({ destroyOnReturn: false })) {
        if (heldBytes + chunk.length > limitBytes) return refused(tooLarge(limitBytes));
        if (!budget.take(chunk.length)) return refused(budgetSpent());
        heldBytes += chunk.length;
        gathered.add(chunk);
      }
    } catch {
      return refused(invalid('', 'ended before it was complete'));
    }
    return { content: { bytes: gathered.bytes() } };
  };
  const release = () => {
    budget.release(heldBytes);
    heldBytes = 0;
  };
  const isStreamed = announced === undefined && request.headers['transfer-encoding'] !== undefined;
  return { mayBeLarge: isStreamed || declaredBytes > defaultBodyLimitBytes, read, release };
}

const refused = (refusal: AppError): RawBody => ({ content: { refusal } });

/** Where the length is known each piece goes to its place at once; a list of them would be a second copy of the body. */
function gathering(declaredBytes: number) {
  if (!(declaredBytes > 0)) {
    const chunks: Buffer[] = [];
    return { add: (chunk: Buffer) => void chunks.push(chunk), bytes: () => Buffer.concat(chunks) };
  }
  const whole = Buffer.allocUnsafe(declaredBytes);
  let length = 0;
  const add = (chunk: Buffer) => {
    length += chunk.copy(whole, length);
  };
  return { add, bytes: () => whole.subarray(0, length) };
}

const tooLarge = (limitBytes: number) => invalid('', `is larger than ${limitBytes} bytes`, 'The body is too large.');

/** JSON value of a body; no bytes at all count as `{}`. Throws VALIDATION_ERROR. */
export function parseJsonBody(request: IncomingMessage, raw: RawBody): unknown {
  const { content } = raw;
  if ('refusal' in content) throw content.refusal;
  const value = 'value' in content ? content.value : parsedBody(request, content.bytes);
  refuseUnstorable(value, '', 0);
  raw.content = { value };
  return value;
}

function parsedBody(request: IncomingMessage, bytes: Buffer): unknown {
  if (bytes.length === 0) return {};
  refuseForeignEncoding(request);
  return parseJson(bytes);
}

function refuseForeignEncoding(request: IncomingMessage): void {
  const type = request.headers['content-type'] ?? '';
  if (!/^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i.test(type)) {
    throw invalid('', 'is not application/json', 'Send the body as application/json in UTF-8.');
  }
  const encoding = request.headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity') throw invalid('', 'is compressed', 'Send the body without Content-Encoding.');
}

/** A key that is given twice is refused: JSON.parse keeps the last one, and a reader may have meant the first. */
function parseJson(bytes: Buffer): unknown {
  const { text, value } = readJson(bytes);
  const [twice] = duplicateKeys(text);
  if (twice !== undefined) throw invalid(twice.isWellFormed() ? twice : '', 'is given twice');
  return value;
}

function readJson(bytes: Buffer): { readonly text: string; readonly value: unknown } {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return { text, value: JSON.parse(text) };
  } catch {
    throw invalid('', 'is not JSON', 'The body is not valid JSON in UTF-8.');
  }
}

/** PostgreSQL cannot store U+0000, and a lone surrogate is not Unicode text; deep nesting serves no operation. */
function refuseUnstorable(value: unknown, field: string, depth: number): void {
  if (depth > maxDepth) throw invalid('', `is nested deeper than ${maxDepth}`);
  if (typeof value === 'string') {
    if (value.includes('\0') || !value.isWellFormed()) throw invalid(field, 'holds characters that are not text');
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  for (const [key, member] of Object.entries(value)) {
    const at = field === '' ? key : `${field}.${key}`;
    if (key.includes('\0') || !key.isWellFormed()) throw invalid(field, 'holds a name that is not text');
    refuseUnstorable(member, at, depth + 1);
  }
}
