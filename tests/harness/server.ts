// Listens with any request handler on a free loopback port. Closing does not wait for idle connections.
import { createServer, type RequestListener, type Server } from 'node:http';
import type { Logger } from 'pino';
import { answerParserErrors } from '#core/http/server/parser-errors.ts';
import { createLogger } from '#core/platform/process/logger.ts';

export interface ListeningServer {
  readonly url: string;
  readonly server: Server;
  close(): Promise<void>;
}

export function listen(handler: RequestListener, log: Logger = createLogger('silent')): Promise<ListeningServer> {
  const server = answerParserErrors(
    createServer({ requireHostHeader: false, connectionsCheckingInterval: 500 }, handler),
    log,
  );
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      if (typeof address !== 'object' || address === null) return reject(new Error('no address'));
      resolve({ url: `http://127.0.0.1:${address.port}`, server, close });
    });
  });
}
