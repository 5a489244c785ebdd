// One request, answered with its status whatever that is. Addresses of the loopback network stand for machines of people.
import http from 'node:http';

export interface Asked {
  readonly method?: 'GET' | 'POST';
  readonly path: string;
  readonly token?: string;
  readonly body?: unknown;
  /** Text of a body that is sent as it is. */
  readonly raw?: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
  readonly localAddress?: string;
}

export interface Answered {
  readonly status: number;
  readonly text: string;
  readonly etag: string | undefined;
}

export type Ask = (asked: Asked) => Promise<Answered>;

const patienceMs = 60_000;

/** Status 0 where no answer comes within a minute. */
export function askerOf(url: string, connections: number): { readonly ask: Ask; close(): void } {
  const agent = new http.Agent({ keepAlive: true, maxSockets: connections });
  /** `again`: on a connection of its own. */
  const send = (asked: Asked, again = false): Promise<Answered> =>
    new Promise((resolve) => {
      const { method = asked.body === undefined && asked.raw === undefined ? 'GET' : 'POST', localAddress } = asked;
      const text = asked.raw ?? (asked.body === undefined ? undefined : JSON.stringify(asked.body));
      const headers = {
        ...(asked.token !== undefined && { authorization: `Bearer ${asked.token}` }),
        ...(text !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
        ...asked.headers,
      };
      const options = {
        method,
        agent: again ? false : agent,
        headers,
        timeout: patienceMs,
        ...(localAddress && { localAddress }),
      };
      const request = http.request(new URL(asked.path, url), options, (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('error', () => resolve({ status: 0, text: 'answer broke', etag: undefined }));
        response.on('end', () => {
          const { statusCode: status = 0, headers: told } = response;
          resolve({ status, text: Buffer.concat(parts).toString(), etag: told.etag });
        });
      });
      request.on('timeout', () => request.destroy(new Error(`no answer within ${patienceMs} ms`)));
      request.on('error', (error: NodeJS.ErrnoException) => {
        // A kept connection that the service closed as this request went out: RFC 9112 §9.3.1 has the client send it again.
        const isStale = request.reusedSocket && ['ECONNRESET', 'EPIPE'].includes(error.code ?? '');
        resolve(isStale && !again ? send(asked, true) : { status: 0, text: error.message, etag: undefined });
      });
      request.end(text);
    });
  return { ask: (asked) => send(asked), close: () => agent.destroy() };
}
