// A server with given routes alone, on services that a test has arranged.
import type { Logger } from 'pino';
import type { Test } from 'uvu';
import type { Route } from '#core/http/route.ts';
import { buildRouter } from '#core/http/server/router.ts';
import type { Services } from '#core/module/services.ts';
import { createLogger } from '#core/platform/process/logger.ts';
import { authenticate } from '#identity/people/index.ts';
import { type HttpClient, httpClient } from '../../../harness/fetch.ts';
import { type ListeningServer, listen } from '../../../harness/server.ts';

export function useServed<Context>(
  test: Test<Context>,
  routes: readonly Route[],
  services: Services,
  log: Logger = createLogger('silent'),
): HttpClient {
  let server: ListeningServer | undefined;
  test.before(async () => {
    server = await listen(
      buildRouter([...routes], {
        ...{ db: services.db, clock: services.clock, services, log, authenticate },
        ...{ verifyToken: services.tokens.verify, trustProxy: 0, observe: () => {} },
      }),
    );
  });
  test.after(() => server?.close());
  return httpClient(() => server?.url ?? '');
}
