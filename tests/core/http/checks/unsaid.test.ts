// A public response that may not be sent leaves no rows: it is validated before its work is committed.
import type { Express } from 'express';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { allRoutes } from '#app/app.ts';
import type { Route } from '#core/http/route.ts';
import { buildRouter } from '#core/http/server/router.ts';
import { inContext } from '#core/platform/db.ts';
import { createLogger } from '#core/platform/process/logger.ts';
import { sha256Hex } from '#core/platform/pure/canonical-json.ts';
import { authenticate, authenticateAll } from '#identity/people/auth-sessions/auth-sessions.ts';
import { issueQuickCodes } from '#identity/people/quick-codes/quick-codes.ts';
import { answers, visitor } from '../../../assessment/teaser/visitor.ts';
import {
  buildClass,
  buildStudent,
  buildSuperAdmin,
  buildUser,
  openSessionOf,
  password,
  passwordHash,
} from '../../../harness/factories.ts';
import { httpClient } from '../../../harness/fetch.ts';
import { useApp } from '../../../harness/http.ts';
import { type ListeningServer, listen } from '../../../harness/server.ts';
import { ownPage, sessionPath } from '../../../identity/people/workbench-session/browser.ts';

const test = suite('answers that may not be sent');
const app = useApp(test, { rules: true });
const { owner } = app.database;
const writing = allRoutes().filter(({ allow, method }) => allow === 'public' && method !== 'get');
/** Counts of attempts are kept in any case. */
const countsTries = ['rate_limit', 'attempt_window'];
let server: ListeningServer | undefined;
const mute = httpClient(() => server?.url ?? '');

test.before(async () => {
  server = await listen(served(allRoutes().map(mutedRoute)));
});
test.after(() => server?.close());

/** Declares no response that its handler could return. */
const mutedRoute = (route: Route): Route =>
  writing.some(({ operation }) => operation === route.operation) ? { ...route, answers: {} } : route;

function served(routes: readonly Route[]): Express {
  const { db, clock, tokens } = app.services;
  const log = createLogger('silent');
  const rest = { authenticate, authenticateAll, log, trustProxy: 0, observe: () => {} };
  return buildRouter(routes, { db, clock, services: app.services, verifyToken: tokens.verify, ...rest });
}

interface Request {
  /** Default: POST. */
  readonly method?: string;
  readonly path: string;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

type Call = () => Promise<Request>;

/** Returns the headers of a page of the workbench with the cookie of a session. */
async function pageWithCookie() {
  const { refreshToken } = await openSessionOf(app, await buildSuperAdmin(owner));
  return { ...ownPage, cookie: `workbench=${refreshToken}` };
}

/** Requests that would succeed. The first one comes before any account exists. */
const calls: Readonly<Record<string, Call>> = {
  register: async () => ({
    path: '/api/auth/register',
    body: { email: 'first@example.org', password: 'a long enough one', fullNameAr: 'سارة', primaryPersona: 'ADMIN' },
  }),
  login: async () => {
    const { email } = await buildUser(owner, 'TEACHER', { passwordHash: await passwordHash() });
    return { path: '/api/auth/login', body: { email, password } };
  },
  refreshTokens: async () => {
    const { refreshToken } = await openSessionOf(app, await buildUser(owner, 'TEACHER'));
    return { path: '/api/auth/refresh', body: { refreshToken } };
  },
  loginWithQuickCode: async () => {
    const student = await buildStudent(owner, await buildClass(owner));
    const given = { id: student.id, organizationId: String(student.organizationId) };
    const [issued] = await inContext(app.database.app, 'SUPER', (trx) =>
      issueQuickCodes({ trx, cipher: app.services.cipher, now: app.clock.now() }, [given]),
    );
    return { path: '/api/auth/quickcode', body: { quickCode: issued?.quickCode } };
  },
  exchangeGoogleCode: async () => {
    const { id: userId, organizationId } = await buildUser(owner, 'TEACHER');
    const expiresAt = new Date(app.clock.now().getTime() + 60_000);
    await owner('handoff_code').insert({ codeHash: sha256Hex('handed over'), organizationId, userId, expiresAt });
    return { path: '/api/auth/google/exchange', body: { code: 'handed over' } };
  },
  openWorkbenchSession: async () => {
    const { email } = await buildSuperAdmin(owner, { passwordHash: await passwordHash() });
    return { path: sessionPath, body: { email, password }, headers: ownPage };
  },
  refreshWorkbenchSession: async () => ({
    path: `${sessionPath}/refresh`,
    body: {},
    headers: await pageWithCookie(),
  }),
  closeWorkbenchSession: async () => ({ method: 'DELETE', path: sessionPath, headers: await pageWithCookie() }),
  startTeaser: async () => ({ path: '/api/teaser/sessions', body: { grade: 1 } }),
  finishTeaser: async () => {
    const { body } = await visitor(app).start();
    const handedIn = { token: body.token, responses: answers(body, 5) };
    return { path: `/api/teaser/sessions/${body.sessionId}/finish`, body: handedIn };
  },
  saveTeaserLead: async () => {
    const { token, sessionId } = (await visitor(app).start()).body;
    return { path: '/api/teaser/leads', body: { token, sessionId, email: 'parent@example.org' } };
  },
};

test('every public route that writes is called', () => {
  assert.equal(Object.keys(calls).sort(), writing.map(({ operation }) => operation).sort());
});

for (const [operation, call] of Object.entries(calls)) {
  test(`${operation}: an answer outside its schema is 500, and not one row is there or changed`, async () => {
    const { method = 'POST', path, ...options } = await call();
    const before = await everyRow();
    assert.is((await mute.request(method, path, options)).status, 500);
    assert.equal(await everyRow(), before);
    assert.ok(
      (await app.request(method, path, options)).status < 300,
      'the same request succeeds where its answer may be sent',
    );
    assert.not.equal(await everyRow(), before);
  });
}

/** Returns a digest of the rows of each table. */
async function everyRow(): Promise<Record<string, string | null>> {
  const { rows: tables } = await owner.raw(
    `select table_name as name from information_schema.tables where table_schema = current_schema() and table_type = 'BASE TABLE'`,
  );
  const names = (tables as { name: string }[]).map(({ name }) => name).filter((name) => !countsTries.includes(name));
  const digests = names.map(async (name) => {
    const { rows } = await owner.raw("select md5(string_agg(t::text, '|' order by t::text)) as digest from ?? t", [
      name,
    ]);
    return [name, rows[0].digest as string | null] as const;
  });
  return Object.fromEntries(await Promise.all(digests));
}

test.run();
