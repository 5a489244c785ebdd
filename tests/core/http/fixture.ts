// A small service of the real router and a few routes, to test what every route gets.
import { pino } from 'pino';
import Type from 'typebox';
import type { Test } from 'uvu';
import { ok } from '#core/http/answers.ts';
import type { BodyBudget } from '#core/http/checks/body-budget.ts';
import type { PipelineDeps } from '#core/http/pipeline.ts';
import type { Route } from '#core/http/route.ts';
import { routeFactory } from '#core/http/route-factory.ts';
import { IntegerIdText, object } from '#core/http/schemas.ts';
import { buildRouter } from '#core/http/server/router.ts';
import type { Db } from '#core/platform/db.ts';
import { AppError } from '#core/platform/errors.ts';
import { ManualClock } from '../../harness/clock.ts';
import { useDatabase } from '../../harness/database.ts';
import { type HttpClient, httpClient } from '../../harness/fetch.ts';
import { type ListeningServer, listen } from '../../harness/server.ts';

export interface FixtureServices {
  readonly db: Db;
}

export const fixtureRoutes = routeFactory<FixtureServices, string>();

const Note = object({
  text: Type.String({ minLength: 1 }),
  tags: Type.Optional(Type.Array(object({ name: Type.String() }))),
  extra: Type.Optional(Type.Unknown()),
});

export const writeNote = fixtureRoutes.publicRoute({
  method: 'post',
  path: '/notes/:id',
  operation: 'writeNote',
  summary: 'Fixture',
  tag: 'fixture',
  demo: 'loop',
  bodyLimitBytes: 256 * 1024,
  params: object({ id: IntegerIdText }),
  body: Note,
  answers: { 200: object({ id: Type.String(), text: Type.String(), clientIp: Type.String() }) },
  run: async ({ params, body, clientIp }) => ok({ id: params.id, text: body.text, clientIp }),
});

export const listNotes = fixtureRoutes.publicRoute({
  method: 'get',
  path: '/notes',
  operation: 'listNotes',
  summary: 'Fixture',
  tag: 'fixture',
  demo: 'read',
  query: object({ limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 25 })) }),
  answers: { 200: object({ limit: Type.Integer() }) },
  run: async ({ query }) => ok({ limit: query.limit ?? 0 }),
});

export interface Fixture extends HttpClient {
  readonly db: Db;
  readonly url: () => string;
  /** Set once it listens. */
  readonly http: () => ListeningServer;
  /** Every logged line, parsed. */
  readonly logged: Readonly<Record<string, unknown>>[];
  /** Every measurement: operation and status. */
  readonly measured: string[];
}

export interface FixtureOptions {
  readonly trustProxy?: number;
  readonly pipeline?: Partial<PipelineDeps>;
  readonly bodyBudget?: BodyBudget;
}

/** Serves `routes` from before the file's first test until after its last. */
export function useRoutes<Context>(
  test: Test<Context>,
  routes: readonly Route[],
  options: FixtureOptions = {},
): Fixture {
  const { app: db } = useDatabase(test);
  const logged: Record<string, unknown>[] = [];
  const measured: string[] = [];
  const log = pino({}, { write: (line: string) => logged.push(JSON.parse(line) as Record<string, unknown>) });
  let server: ListeningServer | undefined;
  test.before(async () => {
    const deps = {
      db,
      clock: new ManualClock(),
      services: { db },
      verifyToken: nobody,
      authenticate: nobody,
      ...options.pipeline,
    };
    const router = buildRouter(routes, {
      ...deps,
      log,
      trustProxy: options.trustProxy ?? 0,
      observe: (operation, _method, status) => measured.push(`${operation} ${status}`),
      ...(options.bodyBudget && { bodyBudget: options.bodyBudget }),
    });
    server = await listen(router, log);
  });
  test.after(async () => {
    await server?.close();
  });
  const url = () => server?.url ?? '';
  const http = () => {
    if (!server) throw new Error('The service starts before the first test.');
    return server;
  };
  return { ...httpClient(url), db, url, http, logged, measured };
}

const nobody = () => Promise.reject(new AppError('TOKEN_INVALID', 'The fixture knows no one.'));
