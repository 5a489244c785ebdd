// Sends an answer. If the body of the request is still arriving, the answer is sent at once and the connection ends.
import type { IncomingMessage } from 'node:http';
import type { Response } from 'express';
import type { Answer } from '../answers.ts';
import { EventStream } from '../event-stream.ts';
import { sendStream } from './send-stream.ts';

/** How long a client may go on sending, so that it reads the answer instead of seeing a broken connection. */
const lingerMs = 1_000;

export function send(request: IncomingMessage, response: Response, { status, headers, body }: Answer): void {
  response.status(status);
  for (const [name, value] of Object.entries(headers ?? {})) response.setHeader(name, value);
  if (status === 200 && isHeld(request, response)) return void response.status(304).end();
  if (body instanceof EventStream) return void sendStream(request, response, body);
  if (body !== undefined && !(body instanceof Uint8Array)) response.type('application/json');
  const bytes = body === undefined || body instanceof Uint8Array ? body : Buffer.from(JSON.stringify(body));
  if (isArriving(request)) lastAnswer(request, response, bytes);
  else response.end(bytes);
}

/**
 * Whether the caller has this answer already (RFC 9110 §13.1.2, weak comparison). `Cache-Control: no-cache`, which fetch() adds to
 * such a request, is meant for caches and ignored.
 */
function isHeld({ method, headers }: IncomingMessage, response: Response): boolean {
  const held = headers['if-none-match'];
  const tag = response.getHeader('etag');
  if (held === undefined || typeof tag !== 'string' || (method !== 'GET' && method !== 'HEAD')) return false;
  return held.split(',').some((each) => each.trim() === '*' || opaque(each.trim()) === opaque(tag));
}

const opaque = (tag: string) => (tag.startsWith('W/') ? tag.slice(2) : tag);

function isArriving({ headers, complete }: IncomingMessage): boolean {
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  return hasBody && !complete;
}

/** Discards what still arrives for a short time, and keeps none of it in memory. */
function lastAnswer(request: IncomingMessage, response: Response, bytes: Uint8Array | undefined): void {
  response.setHeader('Connection', 'close');
  if (bytes !== undefined) {
    response.setHeader('Content-Length', bytes.length);
    response.write(bytes);
  }
  const end = () => {
    clearTimeout(timer);
    response.end();
  };
  const timer = setTimeout(end, lingerMs);
  response.once('close', () => clearTimeout(timer));
  request.once('end', end).once('error', end);
  request.resume();
}
