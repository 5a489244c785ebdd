// Sends one request to a provider and reads its response. Redirects are not followed, and a response is read up to the size
// limit of a page.
import http from 'node:http';
import https from 'node:https';
import { requireNoTransaction } from '#core/platform/transactions/outside.ts';
import type { AddressGuard } from './address-guard.ts';
import { toHttpFailure } from './failures.ts';
import { readBody } from './response-body.ts';

export interface HttpRequest {
  readonly method: 'GET' | 'POST';
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as a form. */
  readonly form?: URLSearchParams;
}

export interface HttpResponse {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  /** Undefined when the body is not JSON, which is accepted for statuses from 300 on only. */
  readonly json: unknown;
}

/** The open connections of one session. */
export interface HttpConnection {
  readonly guard: AddressGuard;
  readonly httpAgent: http.Agent;
  readonly httpsAgent: https.Agent;
  /** The time limit of one request, until its response is read. */
  readonly timeoutMs: number;
}

/** Throws HttpFailure. `signal` ends the request at once. */
export async function sendRequest(
  connection: HttpConnection,
  request: HttpRequest,
  signal: AbortSignal,
): Promise<HttpResponse> {
  requireNoTransaction('asking a learning platform');
  connection.guard.check(request.url);
  const controller = new AbortController();
  const abort = () => controller.abort();
  const timeout = setTimeout(abort, connection.timeoutMs);
  signal.addEventListener('abort', abort, { once: true });
  try {
    if (signal.aborted) abort();
    const response = await send(connection, request, controller.signal);
    const { statusCode: status = 0, headers } = response;
    return { status, headers, json: await readBody(response, request.url) };
  } catch (error) {
    throw toHttpFailure(error);
  } finally {
    clearTimeout(timeout);
    signal.removeEventListener('abort', abort);
  }
}

function send(
  { guard, httpAgent, httpsAgent }: HttpConnection,
  { method, url, headers, form }: HttpRequest,
  signal: AbortSignal,
): Promise<http.IncomingMessage> {
  const body = form?.toString();
  const isEncrypted = url.protocol === 'https:';
  return new Promise((resolve, reject) => {
    const lookup = guard.lookupFor(url);
    const sent = (isEncrypted ? https : http).request(url, {
      method,
      agent: isEncrypted ? httpsAgent : httpAgent,
      signal,
      ...(lookup && { lookup }),
      headers: {
        accept: 'application/json',
        'accept-encoding': 'identity',
        ...(body !== undefined && {
          'content-type': 'application/x-www-form-urlencoded',
          'content-length': String(Buffer.byteLength(body)),
        }),
        ...headers,
      },
    });
    sent.once('response', resolve);
    sent.once('error', reject);
    sent.end(body);
  });
}
