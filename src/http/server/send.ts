// Sends an answer. Where the request's body is still arriving, the answer goes out at once and the connection ends.
import type { IncomingMessage } from 'node:http';
import type { Response } from 'express';
import type { Answer } from '../answers.ts';
import { EventStream } from '../event-stream.ts';
import { sendStream } from './send-stream.ts';

/** So long a client that is still sending may go on, so that it reads the answer instead of a broken connection. */
const lingerMs = 1_000;

export function send(request: IncomingMessage, response: Response, { status, headers, body }: Answer): void {
  response.status(status);
  for (const [name, value] of Object.entries(headers ?? {})) response.setHeader(name, value);
  // The caller has it already: the ETag of the answer is one that it named.
  if (status === 200 && response.req.fresh) return void response.status(304).end();
  if (body instanceof EventStream) return void sendStream(request, response, body);
  if (body !== undefined && !(body instanceof Uint8Array)) response.type('application/json');
  const bytes = body === undefined || body instanceof Uint8Array ? body : Buffer.from(JSON.stringify(body));
  if (isArriving(request)) lastAnswer(request, response, bytes);
  else response.end(bytes);
}

function isArriving({ headers, complete }: IncomingMessage): boolean {
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  return hasBody && !complete;
}

/** What still arrives is thrown away, for a moment; nothing of it is held. */
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
