// Listens with any request handler on a free loopback port, and closes it without waiting for idle connections.
import { createServer, type RequestListener } from 'node:http';

export interface ListeningServer {
  readonly url: string;
  close(): Promise<void>;
}

export function listen(handler: RequestListener): Promise<ListeningServer> {
  const server = createServer(handler);
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
      resolve({ url: `http://127.0.0.1:${address.port}`, close });
    });
  });
}
