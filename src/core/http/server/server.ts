// The listening socket: how long clients may take, how many there may be, and how it closes while some stay connected.
import { createServer, type RequestListener, type Server } from 'node:http';
import type { Logger } from 'pino';
import { answerParserErrors } from './parser-errors.ts';

/** A request must arrive within 30 s, its headers within 15 s. Node checks at this interval. */
const limits = {
  requestTimeout: 30_000,
  headersTimeout: 15_000,
  connectionsCheckingInterval: 5_000,
  requireHostHeader: false,
} as const;
/** Two thousand streams, and as many other requests. */
const maxConnections = 4_000;
/** Running requests have this long to be answered after the stop has begun. */
const drainMs = 10_000;

export function listen(handler: RequestListener, port: number, host: string, log: Logger): Promise<Server> {
  const server = answerParserErrors(createServer(limits, handler), log);
  server.maxConnections = maxConnections;
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.removeListener('error', reject);
      resolve(server);
    });
  });
}

export function addressOf(server: Server, host: string): string {
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Answers running requests, closes idle connections at once, and cuts off those that remain after the deadline. */
export function drain(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const cut = setTimeout(() => server.closeAllConnections(), drainMs);
    server.close(() => {
      clearTimeout(cut);
      resolve();
    });
    server.closeIdleConnections();
  });
}
