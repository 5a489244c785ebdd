// Reads a request body completely, outside of any transaction, and parses it later, in the order of the checks.
import type { IncomingMessage } from 'node:http';
import { type AppError, invalid } from '../../platform/errors.ts';
import { type BodyBudget, budgetSpent } from './body-budget.ts';
import { bodyValue } from './body-value.ts';
import { isForm } from './form.ts';

export const defaultBodyLimitBytes = 256 * 1024;
/** For public routes: their callers are anonymous, and none of them accepts a long text. */
export const smallBodyLimitBytes = 16 * 1024;

/** The bytes until they are parsed, from then on the value. */
export interface RawBody {
  /** A form is parsed to the value of the equivalent JSON. */
  content: { readonly bytes: Buffer } | { readonly refusal: AppError } | ReadBody;
  /** The number of bytes that were sent. */
  readonly sizeBytes: number;
}

export interface ReadBody {
  readonly value: unknown;
  /** Set for a body that was checked in a thread: identifies the value when requests are compared. */
  readonly digest?: string;
}

export interface IncomingBody {
  /** Whether the size exceeds the ordinary limit or is unknown: the sender is then authenticated before the body is read. */
  readonly mayBeLarge: boolean;
  /** Never throws because of the content: a refusal is kept until the preceding checks have passed. */
  read(): Promise<RawBody>;
  /** Returns the bytes to the budget. Called when the request has been answered. */
  release(): void;
}

export function incomingBody(request: IncomingMessage, budget: BodyBudget, limitBytes: number): IncomingBody {
  const announced = request.headers['content-length'];
  const declaredBytes = Number(announced ?? 0);
  let heldBytes = 0;
  const read = async (): Promise<RawBody> => {
    if (declaredBytes > limitBytes) return refused(tooLarge(limitBytes));
    const collected = bodyCollector(declaredBytes);
    try {
      for await (const chunk of request.iterator({ destroyOnReturn: false })) {
        if (heldBytes + chunk.length > limitBytes) return refused(tooLarge(limitBytes));
        if (!budget.take(chunk.length)) return refused(budgetSpent());
        heldBytes += chunk.length;
        collected.add(chunk);
      }
    } catch {
      return refused(invalid('', 'ended before it was complete'));
    }
    return { content: { bytes: collected.bytes() }, sizeBytes: heldBytes };
  };
  const release = () => {
    budget.release(heldBytes);
    heldBytes = 0;
  };
  const isStreamed = announced === undefined && request.headers['transfer-encoding'] !== undefined;
  return { mayBeLarge: isStreamed || declaredBytes > defaultBodyLimitBytes, read, release };
}

const refused = (refusal: AppError): RawBody => ({ content: { refusal }, sizeBytes: 0 });

/** If the length is known, each chunk is copied to its position at once, which avoids a second copy of the body. */
function bodyCollector(declaredBytes: number) {
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

/** Returns the value of a body; an empty body counts as `{}`. Throws VALIDATION_ERROR. */
export function parsedBody(request: IncomingMessage, raw: RawBody, acceptsForm: boolean): unknown {
  const { content } = raw;
  if ('refusal' in content) throw content.refusal;
  if ('value' in content) return content.value;
  const value = bodyValue({ bytes: content.bytes, ...headersOf(request, acceptsForm) });
  raw.content = { value };
  return value;
}

/** Returns what the headers say about the encoding of the bytes. */
export function headersOf(request: IncomingMessage, acceptsForm: boolean) {
  const { 'content-type': contentType = '', 'content-encoding': contentEncoding = 'identity' } = request.headers;
  return { contentType, contentEncoding, isForm: acceptsForm && isForm(contentType) };
}
