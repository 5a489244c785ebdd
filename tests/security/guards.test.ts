// timeout: 180s
// Each guard is taken away for a moment, to show that a check of this suite would notice: a check that passes without
// the guard it is about proves nothing.
import { pino } from 'pino';
import Type from 'typebox';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { allRoutes } from '../../src/app.ts';
import { nameWriter } from '../../src/audit/writer.ts';
import type { Guards } from '../../src/http/guards.ts';
import type { Answer, Route } from '../../src/http/route.ts';
import { buildRouter, type RouterDeps } from '../../src/http/router.ts';
import { liveActor } from '../../src/identity/sessions.ts';
import { newId } from '../../src/platform/ids.ts';
import { openLimits } from '../../src/platform/limits.ts';
import { buildUser, password, signIn } from '../support/factories.ts';
import { type HttpClient, httpClient } from '../support/fetch.ts';
import { useApp } from '../support/http.ts';
import { listen } from '../support/server.ts';
import { buildWorld, type World } from '../support/world.ts';
import { inParallel, noGeneralLimits } from './support.ts';

const app = useApp(test, { settings: noGeneralLimits });
const { owner } = app.database;
const userPerMinute = 40;
let world: World;

test.before(async () => {
  world = await buildWorld(app);
});

const log = pino({ level: 'silent' });

/** The wiring of the service, in parts that can be replaced. */
function deps(): RouterDeps & { guards: Guards } {
  const { services } = app;
  const limits = openLimits({ db: services.db, redisUrl: undefined, userPerMinute, addressPerMinute: 1e6, log });
  const addressHash = (clientIp: string) => services.vault.keyedHash('address', clientIp);
  return {
    db: services.db,
    clock: services.clock,
    services,
    verifyToken: services.tokens.verify,
    liveActor,
    guards: { limits, addressHash, sealer: services.vault, answersKeptSince: async () => new Date(0), nameWriter },
    log,
    trustProxy: 1,
    observe: () => {},
  };
}

interface Guard {
  readonly name: string;
  /** What the guard holds: true as long as it does. */
  readonly holds: (client: HttpClient) => Promise<boolean>;
  readonly routes?: (route: Route) => Route;
  readonly wiring?: (parts: ReturnType<typeof deps>) => RouterDeps;
  /** SQL that takes it away, and SQL that brings it back. */
  readonly database?: readonly [string, string];
}

const admin = () => world.own.people.ADMIN;
const newSchool = (name: string) => ({ organizationId: world.own.organizationId, name, country: 'SA' });

const foreignClassIsAbsent = async (client: HttpClient) =>
  (await client.get(`/api/classes/${world.other.classRow.id}`, { token: admin().token })).status === 404;

const listShowsOwnClassesOnly = async (client: HttpClient) => {
  const { body } = await client.get<{ items: { id: number }[] }>('/api/classes?limit=100', { token: admin().token });
  return body.items.length > 0 && body.items.every(({ id }) => id !== world.other.classRow.id);
};

const only = (operation: string, change: (route: Route) => Route) => (route: Route) =>
  route.operation === operation ? change(route) : route;

const guards: readonly Guard[] = [
  {
    name: 'the tenant context of a request (row-level security alone is left)',
    holds: foreignClassIsAbsent,
    wiring: (parts) => ({
      ...parts,
      verifyToken: async (authorization, now) => ({
        ...(await parts.verifyToken(authorization, now)),
        organizationId: null,
      }),
    }),
  },
  {
    name: 'row-level security of a table (the context alone is left)',
    holds: listShowsOwnClassesOnly,
    database: ['alter table class disable row level security', 'alter table class enable row level security'],
  },
  {
    name: 'the policy of a table lets everything through',
    holds: listShowsOwnClassesOnly,
    database: ['create policy open_door on class using (true)', 'drop policy open_door on class'],
  },
  {
    name: 'the unique index behind a guarded insert',
    holds: async (client) => {
      const email = `${newId()}@example.org`;
      const { organizationId } = world.own;
      const body = { primaryPersona: 'MANAGER', fullNameAr: 'مدير', email, password, organizationId };
      await inParallel(10, () => client.post('/api/users', body, { token: admin().token }));
      const made = await owner('app_user').where({ email }).select('id');
      await owner('app_user').where({ email }).update({ email: null, status: 'deleted' });
      return made.length === 1;
    },
    database: [
      'drop index app_user_email_unique',
      'create unique index app_user_email_unique on app_user (lower(email))',
    ],
  },
  {
    name: 'the permission of a route',
    holds: async (client) => {
      const { token } = world.own.people.TEACHER;
      return (await client.post('/api/schools', newSchool('by a teacher'), { token })).status === 403;
    },
    routes: only('createSchool', (route) => ({ ...route, allow: 'signed in' })),
  },
  {
    name: 'the reach of a scope',
    holds: async (client) => {
      const { token } = world.own.people['TEACHER elsewhere'];
      return (await client.get(`/api/classes/${world.own.classRow.id}`, { token })).status === 403;
    },
    routes: only('getClass', (route) => ({
      ...route,
      resolve: async () => ({ row: world.own.classRow }),
      run: shownClass,
    })),
  },
  {
    name: 'the demo block',
    holds: async (client) => {
      const { organizationId, people } = world.demo;
      const path = `/api/organizations/${organizationId}`;
      return (await client.patch(path, { name: 'Changed' }, { token: people.ADMIN.token })).status === 403;
    },
    routes: only('updateOrganization', (route) => ({ ...route, demo: 'loop' })),
  },
  {
    name: 'the presenter, with the schema of its answer',
    holds: async (client) => {
      const { body } = await client.get<object>(`/api/users/${admin().id}`, { token: admin().token });
      return !('passwordHash' in body);
    },
    routes: only('getUser', (route) => ({ ...route, answers: { 200: Type.Unknown() }, run: rawRow })),
  },
  {
    name: 'the presenter alone: the schema of the answer still holds the field back',
    holds: async (client) => {
      const { status } = await client.get<object>(`/api/users/${admin().id}`, { token: admin().token });
      return status === 200;
    },
    routes: only('getUser', (route) => ({ ...route, run: rawRow })),
  },
  {
    name: 'the general rate limit',
    holds: async (client) => {
      const token = await signIn(app, await buildUser(owner, 'TEACHER'));
      const replies = await inParallel(userPerMinute + 5, () => client.get('/api/auth/me', { token }));
      return replies.some(({ status }) => status === 429);
    },
    routes: only('getMe', (route) => ({ ...route, limit: 'none' })),
  },
  {
    name: 'the door of Idempotency-Key',
    holds: async (client) => {
      const headers = { 'idempotency-key': newId() };
      const token = await signIn(app, admin());
      const name = newId();
      for (let time = 0; time < 2; time++) await client.post('/api/schools', newSchool(name), { token, headers });
      return (await owner('school').where({ name })).length === 1;
    },
    wiring: ({ guards: _none, ...parts }) => parts,
  },
  {
    name: 'the record of changes',
    holds: async (client) => {
      const { body } = await client.post<{ id: string }>('/api/schools', newSchool(newId()), { token: admin().token });
      return (await owner('audit_entry').where({ entity: 'school', entityId: body.id })).length === 1;
    },
    database: ['alter table school disable trigger school_audit', 'alter table school enable trigger school_audit'],
  },
];

async function rawRow({ scope }: { scope: object }): Promise<Answer> {
  return { status: 200, body: { ...scope } };
}

async function shownClass({ scope }: { scope: { id: number; schoolId: string } }): Promise<Answer> {
  const { id, schoolId } = scope;
  const rest = { name: 'x', grade: 1, academicYear: '2025-2026', archivedAt: null, teachers: [] };
  return { status: 200, body: { id, schoolId, ...rest } };
}

for (const guard of guards) {
  test(`noticed when it is gone: ${guard.name}`, async () => {
    assert.is(await serving({ name: guard.name, holds: guard.holds }), true, 'the check passes with the guard');
    assert.is(await serving(guard), false, 'the check fails without it');
  });
}

/** Serves with the guard taken away, and asks its check. */
async function serving(guard: Guard): Promise<boolean> {
  const { routes = (route: Route) => route, wiring = (parts: RouterDeps) => parts, database } = guard;
  const server = await listen(buildRouter(allRoutes().map(routes), wiring(deps())));
  try {
    if (database) await owner.raw(database[0]);
    return await guard.holds(httpClient(() => server.url));
  } finally {
    if (database) await owner.raw(database[1]);
    await server.close();
  }
}

test.run();
