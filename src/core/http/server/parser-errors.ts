// Requests that Node's HTTP parser refuses never reach a route: their refusals also get the envelope, an id and a line in the log.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import type { Envelope } from './envelope.ts';

interface Refusal {
  readonly status: number;
  readonly reason: string;
  readonly message: string;
}

const malformed: Refusal = { status: 400, reason: 'Bad Request', message: 'This is not an HTTP request.' };
const unexpected: Refusal = {
  status: 417,
  reason: 'Expectation Failed',
  message: 'This expectation cannot be met.',
};
const refusals: Readonly<Record<string, Refusal>> = {
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, reason: 'Request Timeout', message: 'The request took too long to arrive.' },
  HPE_HEADER_OVERFLOW: {
    status: 431,
    reason: 'Request Header Fields Too Large',
    message: 'The headers of the request are too large.',
  },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { status: 413, reason: 'Payload Too Large', message: 'The body is too large.' },
};

/** Answers with the status of the parser and the code VALIDATION_ERROR. */
export function answerParserErrors<S extends Server>(server: S, log: Logger): S {
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const refusal = refusals[error.code ?? ''] ?? malformed;
    if (!socket.writable || error.code === 'ECONNRESET' || answerBegun(socket)) socket.destroy();
    else socket.end(textOf(refusal, logged(refusal, log)));
  });
  server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) => {
    const body = envelopeOf(unexpected);
    response.writeHead(unexpected.status, headersOf(logged(unexpected, log), body)).end(body);
  });
  return server;
}

/** Whether a response is being written on the connection; a second one would end up in the middle of it. */
function answerBegun(socket: Duplex): boolean {
  const current = '_httpMessage' in socket ? (socket._httpMessage as ServerResponse | null) : null;
  return current?.headersSent ?? false;
}

function logged({ status }: Refusal, log: Logger): string {
  const requestId = crypto.randomUUID();
  log.info({ requestId, operation: 'unparsed', status });
  return requestId;
}

const envelopeOf = ({ message }: Refusal): string =>
  JSON.stringify({ code: 'VALIDATION_ERROR', message } satisfies Envelope);

const headersOf = (requestId: string, body: string): Record<string, string> => ({
  'X-Request-Id': requestId,
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Content-Type': 'application/json; charset=utf-8',
  'Content-Length': String(Buffer.byteLength(body)),
  Connection: 'close',
});

function textOf(refusal: Refusal, requestId: string): string {
  const body = envelopeOf(refusal);
  const headers = Object.entries(headersOf(requestId, body)).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${refusal.status} ${refusal.reason}\r\n${headers.join('')}\r\n${body}`;
}
