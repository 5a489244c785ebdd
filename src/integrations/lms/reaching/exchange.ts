// One request to a provider and its answer. No redirect is followed, and nothing is read beyond the size of a page.
import http from 'node:http';
import https from 'node:https';
import { requireNoTransaction } from '#core/platform/transactions/outside.ts';
import { bodyOf } from './body.ts';
import { asReachFailure } from './failures.ts';
import type { Guard } from './guard.ts';

export interface Asked {
  readonly method: 'GET' | 'POST';
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as a form. */
  readonly form?: URLSearchParams;
}

export interface Told {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  /** undefined where the answer is no JSON, which only refusals may be. */
  readonly json: unknown;
}

/** Open connections of one conversation. */
export interface Line {
  readonly guard: Guard;
  readonly plain: http.Agent;
  readonly encrypted: https.Agent;
  readonly timeoutMs: number;
}

/** Throws ReachFailure; `signal` ends it at once. */
export async function exchange(line: Line, asked: Asked, signal: AbortSignal): Promise<Told> {
  requireNoTransaction('asking a learning platform');
  line.guard.check(asked.url);
  const timer = new AbortController();
  const end = () => timer.abort();
  const timeout = setTimeout(end, line.timeoutMs);
  signal.addEventListener('abort', end, { once: true });
  try {
    if (signal.aborted) end();
    const response = await send(line, asked, timer.signal);
    const { statusCode: status = 0, headers } = response;
    return { status, headers, json: await bodyOf(response, asked.url) };
  } catch (error) {
    throw asReachFailure(error);
  } finally {
    clearTimeout(timeout);
    signal.removeEventListener('abort', end);
  }
}

function send(
  { guard, plain, encrypted }: Line,
  { method, url, headers, form }: Asked,
  signal: AbortSignal,
): Promise<http.IncomingMessage> {
  const body = form?.toString();
  const { request, agent } =
    url.protocol === 'https:' ? { request: https.request, agent: encrypted } : { request: http.request, agent: plain };
  return new Promise((resolve, reject) => {
    const lookup = guard.lookupFor(url);
    const sent = request(url, {
      method,
      agent,
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
