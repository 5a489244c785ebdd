// The operations port of an API or worker process: liveness, readiness and metrics for load balancers and monitoring, on an
// address that the public does not reach. It has no sign-in and no rate limits, and serves no data of a tenant.
import { createServer, type Server, type ServerResponse } from 'node:http';
import { ConfigError } from '#core/platform/config/settings.ts';
import type { Metrics } from '#core/platform/process/metrics.ts';
import { downIn, type Readiness } from './readiness.ts';

export interface OperationsPort {
  readonly host: string;
  /** Undefined where no operations port is configured. */
  readonly port: number | undefined;
}

export interface Watched {
  readonly metrics: Metrics;
  readonly readiness: () => Promise<Readiness>;
}

const headersTimeoutMs = 5_000;

/** Resolves once the port is open, with a function that closes it. Throws ConfigError when the port is taken. */
export async function openOperationsPort(
  { host, port }: OperationsPort,
  watched: Watched,
): Promise<() => Promise<void>> {
  if (port === undefined) return async () => {};
  const server = createServer(
    { headersTimeout: headersTimeoutMs, requestTimeout: headersTimeoutMs },
    (message, response) => {
      answer(message.url ?? '', response, watched).catch(() => {
        if (!response.headersSent) sendJson(response, 500, { status: 'failed' });
      });
    },
  );
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(error.code === 'EADDRINUSE' ? new ConfigError('OPS_PORT is already in use; set another one.') : error),
    );
    server.listen(port, host, resolve);
  });
  return () => close(server);
}

async function answer(url: string, response: ServerResponse, { metrics, readiness }: Watched): Promise<void> {
  switch (url.split('?', 1)[0]) {
    case '/healthz':
      return sendJson(response, 200, { status: 'ok' });
    case '/readyz': {
      const checks = await readiness();
      const isReady = downIn(checks).length === 0;
      return sendJson(response, isReady ? 200 : 503, { status: isReady ? 'ready' : 'not ready', checks });
    }
    case '/metrics':
      response.setHeader('content-type', metrics.registry.contentType);
      response.end(await metrics.registry.metrics());
      return;
    default:
      sendJson(response, 404, { status: 'not found' });
  }
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(JSON.stringify(body));
}

async function close(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}
