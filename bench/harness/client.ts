// A small HTTP client on persistent connections, and loads of a fixed number of callers or a fixed rate.
import http from 'node:http';
import { inContext } from '../../src/core/platform/db.ts';
import { openSession } from '../../src/identity/people/auth-sessions/auth-sessions.ts';
import type { UserRow } from '../../tests/harness/factories.ts';
import type { Service } from './service.ts';

export interface Client {
  /** Returns the text of the body. Throws Error for any response but a success. */
  ask(method: 'GET' | 'POST' | 'DELETE', path: string, token?: string, body?: object): Promise<string>;
  close(): void;
}

export function clientOf(url: string, connections: number): Client {
  const agent = new http.Agent({ keepAlive: true, maxSockets: connections });
  return {
    ask: (method, path, token, body) =>
      new Promise((resolve, reject) => {
        const headers = {
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
        };
        const request = http.request(new URL(path, url), { method, agent, headers }, (response) => {
          let text = '';
          response.setEncoding('utf8').on('data', (part: string) => {
            text += part;
          });
          response.on('end', () => {
            if ((response.statusCode ?? 0) < 300) resolve(text);
            else reject(new Error(`${method} ${path}: ${response.statusCode} ${text}`));
          });
        });
        request.on('error', reject);
        request.end(body === undefined ? undefined : JSON.stringify(body));
      }),
    close: () => agent.destroy(),
  };
}

/** Returns an access token of a new session without hashing a password. */
export async function signIn(
  { services }: Service,
  { id, organizationId }: Pick<UserRow, 'id' | 'organizationId'>,
): Promise<string> {
  const { db, tokens, clock } = services;
  const pair = await inContext(db, 'SUPER', (trx) => openSession(trx, tokens, { id, organizationId }, clock.now()));
  return pair.accessToken;
}

/** Makes `count` calls by `callers`, each of which waits for its response before the next call. */
export async function load(count: number, callers: number, call: () => Promise<unknown>): Promise<void> {
  let left = count;
  const caller = async () => {
    while (left-- > 0) await call();
  };
  await Promise.all(Array.from({ length: callers }, caller));
}

/**
 * Makes calls at a steady rate, whether responses have come or not. Returns the duration of each in milliseconds, from the time
 * at which it was due.
 */
export async function paced(
  perSecond: number,
  seconds: number,
  calls: readonly (() => Promise<unknown>)[],
): Promise<number[]> {
  const from = performance.now();
  const waits = Array.from({ length: perSecond * seconds }, async (_, at) => {
    const dueAt = from + (1_000 * at) / perSecond;
    await new Promise((resolve) => setTimeout(resolve, dueAt - performance.now()));
    await calls[at % calls.length]?.();
    return performance.now() - dueAt;
  });
  return Promise.all(waits);
}
