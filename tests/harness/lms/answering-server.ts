// A server on loopback in place of a learning platform. The test decides the response to each request.
import http from 'node:http';
import https from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Test } from 'uvu';
import { testCertificate, testKey } from './certificate.ts';

export interface Received {
  readonly method: string;
  readonly url: URL;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
}

export type Answer = (received: Received, response: http.ServerResponse) => unknown;

export interface AnsweringServer {
  readonly origin: string;
  /** `host:port`, in the form of LMS_TRUSTED_HOSTS. */
  readonly host: string;
  /** All requests received since `begin`. */
  readonly received: Received[];
  /** The number of open connections. */
  readonly connections: () => number;
  begin(answer: Answer): void;
}

const nothing: Answer = (_, response) => {
  response.writeHead(404).end();
};

interface Kind {
  readonly encrypted?: boolean;
}

/** Listens until the file's last test. Its address goes into the settings of the service. */
export async function useAnsweringServer<Context>(test: Test<Context>, kind: Kind = {}): Promise<AnsweringServer> {
  const { close, ...server } = await startAnsweringServer(kind);
  test.after(close);
  return server;
}

export async function startAnsweringServer({
  encrypted = false,
}: Kind = {}): Promise<AnsweringServer & { close(): Promise<void> }> {
  let answer = nothing;
  const received: Received[] = [];
  const sockets = new Set<Socket>();
  const listener: http.RequestListener = async (request, response) => {
    const seen = await readRequest(request, origin);
    received.push(seen);
    await answer(seen, response);
  };
  const server = encrypted
    ? https.createServer({ key: testKey, cert: testCertificate }, listener)
    : http.createServer(listener);
  server.on(encrypted ? 'secureConnection' : 'connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `${encrypted ? 'https' : 'http'}://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
    origin,
    host: new URL(origin).host,
    received,
    connections: () => sockets.size,
    begin(next) {
      answer = next;
      received.length = 0;
    },
  };
}

async function readRequest(request: http.IncomingMessage, origin: string): Promise<Received> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return {
    method: request.method ?? '',
    url: new URL(request.url ?? '/', origin),
    headers: request.headers,
    body: Buffer.concat(chunks).toString('utf8'),
  };
}

export function json(
  response: http.ServerResponse,
  body: unknown,
  headers: http.OutgoingHttpHeaders = {},
  status = 200,
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}
