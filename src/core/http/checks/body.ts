// Reads a request body completely, outside any transaction, and understands it only when its turn comes.
import type { IncomingMessage } from 'node:http';
import { type AppError, invalid } from '../../platform/errors.ts';
import { type BodyBudget, budgetSpent } from './body-budget.ts';
import { bodyValue } from './body-value.ts';
import { isForm } from './form.ts';

export const defaultBodyLimitBytes = 256 * 1024;
/** For public routes: nobody is known there, and none of them takes a long text. */
export const smallBodyLimitBytes = 16 * 1024;

/** Held once: the bytes until they are understood, from then on what they say. */
export interface RawBody {
  /** `value`: also of a form, which stands for the JSON that it could have been. */
  content: { readonly bytes: Buffer } | { readonly refusal: AppError } | ReadBody;
  /** As they were sent. */
  readonly sizeBytes: number;
}

export interface ReadBody {
  readonly value: unknown;
  /** Of a body that was checked where it was read: stands for the value among what makes two requests the same. */
  readonly digest?: string;
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
    return { content: { bytes: gathered.bytes() }, sizeBytes: heldBytes };
  };
  const release = () => {
    budget.release(heldBytes);
    heldBytes = 0;
  };
  const isStreamed = announced === undefined && request.headers['transfer-encoding'] !== undefined;
  return { mayBeLarge: isStreamed || declaredBytes > defaultBodyLimitBytes, read, release };
}

const refused = (refusal: AppError): RawBody => ({ content: { refusal }, sizeBytes: 0 });

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

/** The value of a body; no bytes at all count as `{}`. Throws VALIDATION_ERROR. */
export function parsedBody(request: IncomingMessage, raw: RawBody, acceptsForm: boolean): unknown {
  const { content } = raw;
  if ('refusal' in content) throw content.refusal;
  if ('value' in content) return content.value;
  const value = bodyValue({ bytes: content.bytes, ...headersOf(request, acceptsForm) });
  raw.content = { value };
  return value;
}

/** What the headers say of how the bytes are written. */
export function headersOf(request: IncomingMessage, acceptsForm: boolean) {
  const { 'content-type': contentType = '', 'content-encoding': contentEncoding = 'identity' } = request.headers;
  return { contentType, contentEncoding, isForm: acceptsForm && isForm(contentType) };
}
