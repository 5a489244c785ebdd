// A server with given routes alone, on services that a test has arranged.
import type { Logger } from 'pino';
import type { Test } from 'uvu';
import type { Route } from '../../../src/http/route.ts';
import { buildRouter } from '../../../src/http/server/router.ts';
import type { Services } from '../../../src/kernel/services.ts';
import { authenticate } from '../../../src/people/index.ts';
import { createLogger } from '../../../src/platform/process/logger.ts';
import { type HttpClient, httpClient } from '../../support/fetch.ts';
import { type ListeningServer, listen } from '../../support/server.ts';

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
