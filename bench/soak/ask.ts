// Sends one request and returns its response with any status. Addresses of the loopback network represent machines of people.
import http from 'node:http';

export interface Asked {
  readonly method?: 'GET' | 'POST';
  readonly path: string;
  readonly token?: string;
  readonly body?: unknown;
  /** The text of a body that is sent unchanged. */
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

const timeoutMs = 60_000;

/** Returns status 0 if no response comes within a minute. */
export function askerOf(url: string, connections: number): { readonly ask: Ask; close(): void } {
  const agent = new http.Agent({ keepAlive: true, maxSockets: connections });
  /** `again` sends it on a connection of its own. */
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
        timeout: timeoutMs,
        ...(localAddress && { localAddress }),
      };
      const request = http.request(new URL(asked.path, url), options, (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('error', () => resolve({ status: 0, text: 'answer broke', etag: undefined }));
        response.on('end', () => {
          const { statusCode: status = 0, headers } = response;
          resolve({ status, text: Buffer.concat(parts).toString(), etag: headers.etag });
        });
      });
      request.on('timeout', () => request.destroy(new Error(`no answer within ${timeoutMs} ms`)));
      request.on('error', (error: NodeJS.ErrnoException) => {
        // A persistent connection that the service closed as this request was sent: RFC 9112 §9.3.1 has the client send it
        // again.
        const isStale = request.reusedSocket && ['ECONNRESET', 'EPIPE'].includes(error.code ?? '');
        resolve(isStale && !again ? send(asked, true) : { status: 0, text: error.message, etag: undefined });
      });
      request.end(text);
    });
  return { ask: (asked) => send(asked), close: () => agent.destroy() };
}
