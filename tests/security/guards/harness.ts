// Plants faults: each guard is removed for a moment to show that a check would notice. A check that passes without its
// guard proves nothing.
import type { RequestListener, Server } from 'node:http';
import type { Test } from 'uvu';
import * as assert from 'uvu/assert';
import { allRoutes, routerDeps } from '#app/app.ts';
import type { Guards } from '#core/http/guards.ts';
import type { Route } from '#core/http/route.ts';
import { buildRouter, type RouterDeps } from '#core/http/server/router.ts';
import type { Services } from '#core/module/services.ts';
import { type Db, inContext, type TenantContext, type Trx } from '#core/platform/db.ts';
import { createLogger } from '#core/platform/process/logger.ts';
import { type HttpClient, httpClient } from '../../harness/fetch.ts';
import type { TestApp } from '../../harness/http.ts';
import { listen } from '../../harness/server.ts';

/** The dependencies of the router, each of which can be replaced. */
export type Parts = RouterDeps;

export interface Change {
  readonly routes?: (route: Route) => Route;
  readonly wiring?: (parts: Parts) => Parts;
  /** A handler in front of the service. */
  readonly inFront?: (app: RequestListener) => RequestListener;
  readonly listening?: (server: Server) => void;
  /** SQL that makes the change, and SQL that reverts it. */
  readonly database?: readonly [string, string];
  /** Makes and reverts a change of what the check itself sets up. */
  readonly swap?: readonly [() => void, () => void];
}

export interface Fault {
  readonly name: string;
  /** True as long as the guard works. */
  readonly holds: (client: HttpClient, url: string) => Promise<boolean>;
  /** What the check needs, with and without the guard. */
  readonly given?: Change;
  readonly without: Change;
}

/** Defines a test for each fault: the check passes with the guard and fails without it. */
export function plant<Context>(test: Test<Context>, app: TestApp, faults: readonly Fault[]): void {
  for (const { name, holds, given = {}, without } of faults) {
    test(`noticed when it is gone: ${name}`, async () => {
      assert.is(await serving(app, [given], holds), true, 'the check passes with the guard');
      assert.is(await serving(app, [given, without], holds), false, 'the check fails without it');
    });
  }
}

const log = createLogger('silent');

async function serving(app: TestApp, changes: readonly Change[], holds: Fault['holds']): Promise<boolean> {
  const changed = <K extends keyof Change>(key: K): NonNullable<Change[K]>[] =>
    changes.flatMap(({ [key]: change }) => (change === undefined ? [] : [change as NonNullable<Change[K]>]));
  const routes = allRoutes().map((route) => changed('routes').reduce((now, change) => change(now), route));
  const parts = changed('wiring').reduce((now, change) => change(now), routerDeps(app.services, log) as Parts);
  const handler = changed('inFront').reduce<RequestListener>((now, change) => change(now), lazyRouter(routes, parts));
  const server = await listen(handler);
  for (const change of changed('listening')) change(server.server);
  try {
    for (const [take] of changed('database')) await app.database.owner.raw(take);
    for (const [take] of changed('swap')) take();
    return await holds(
      httpClient(() => server.url),
      server.url,
    );
  } finally {
    for (const [, back] of changed('swap')) back();
    for (const [, back] of changed('database')) await app.database.owner.raw(back);
    await server.close();
  }
}

/** Compiles only the schemas of requested paths: all of them take seconds, and there are many faults. */
function lazyRouter(routes: readonly Route[], parts: Parts): RequestListener {
  const routers = new Map<string, RequestListener>();
  return (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const router = routers.get(pathname) ?? buildRouter(routes.filter(matches(pathname)), parts);
    routers.set(pathname, router);
    router(request, response);
  };
}

const matches =
  (pathname: string) =>
  ({ path }: Route) =>
    new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`).test(pathname);

/** Changes one route. */
export const only =
  (operation: string, change: (route: Route) => Route): NonNullable<Change['routes']> =>
  (route) =>
    route.operation === operation ? change(route) : route;

export const withGuards =
  (change: Partial<Guards>): NonNullable<Change['wiring']> =>
  (parts) => ({ ...parts, ...(parts.guards && { guards: { ...parts.guards, ...change } }) });

export const withServices =
  (change: Partial<Services>): NonNullable<Change['wiring']> =>
  (parts) => ({ ...parts, services: { ...parts.services, ...change } });

/** Returns SQL that disables a trigger of the service and enables it again. */
export const disabled = (table: string, trigger: string): [string, string] => [
  `alter table ${table} disable trigger ${trigger}`,
  `alter table ${table} enable trigger ${trigger}`,
];

/** Returns SQL for a trigger that changes written rows. It runs after all triggers of the service. */
export const tampered = (table: string, event: 'insert' | 'update' | 'insert or update' | 'delete', body: string) =>
  [
    `create function planted() returns trigger language plpgsql as $$ begin ${body} end $$;
     create trigger zz_planted before ${event} on ${table} for each row execute function planted()`,
    `drop trigger zz_planted on ${table}; drop function planted()`,
  ] as const;

class Undone extends Error {}

interface Writing {
  readonly context: TenantContext;
  /** Default: no writer. */
  readonly writer?: number;
  /** Default: the run-time role. */
  readonly by?: Db;
}

/** Returns whether the database accepts the work, which is always rolled back. */
export function accepted(
  { database, clock, services }: TestApp,
  { context, writer, by = database.app }: Writing,
  work: (trx: Trx) => PromiseLike<unknown>,
): Promise<boolean> {
  const attempt = inContext(by, context, async (trx): Promise<boolean> => {
    const named = { operation: 'test', requestId: 'test' };
    if (writer !== undefined) await services.nameWriter(trx, { ...named, actorUserId: writer }, clock.now());
    await work(trx);
    throw new Undone();
  });
  return attempt.catch((error: unknown) => error instanceof Undone);
}
