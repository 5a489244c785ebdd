// One request to a provider and its answer. No redirect is followed, and nothing is read beyond the size of a page.
import http from 'node:http';
import https from 'node:https';
import { requireNoTransaction } from '../../platform/transactions/outside.ts';
import { asReachFailure, ReachFailure } from './failures.ts';
import type { Guard } from './guard.ts';

const maxPageBytes = 20 * 1024 * 1024;

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
    return await read(response);
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

async function read(response: http.IncomingMessage): Promise<Told> {
  const status = response.statusCode ?? 0;
  if (status >= 300 && status < 400)
    throw drop(response, 'The provider answers with a redirect, which is not followed.');
  const { headers } = response;
  const text = await textOf(response);
  const json = isJson(headers['content-type']) ? parsed(text) : undefined;
  if (status < 300 && json === undefined) {
    throw new ReachFailure('protocol', 'The provider answers with something else than JSON.');
  }
  return { status, headers, json };
}

async function textOf(response: http.IncomingMessage): Promise<string> {
  const { headers } = response;
  if (Number(headers['content-length'] ?? 0) > maxPageBytes) throw drop(response, tooLarge);
  if (!['identity', undefined].includes(headers['content-encoding'])) throw drop(response, compressed);
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxPageBytes) throw drop(response, tooLarge);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

const tooLarge = 'The provider sends a page of more than 20 MiB.';
const compressed = 'The provider compresses an answer that was asked for as it is.';

/** What has not been read of the answer never is. */
function drop(response: http.IncomingMessage, message: string): ReachFailure {
  response.destroy();
  return new ReachFailure('protocol', message);
}

const isJson = (type = '') => /^application\/([a-z0-9.+-]+\+)?json\s*(;|$)/i.test(type.trim());

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
