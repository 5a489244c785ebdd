// A response that does not match the schema of its route is a defect: the caller gets a 500 without details, and the
// transaction is rolled back.

import Type from 'typebox';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { type Answer, created, ok } from '#core/http/answers.ts';
import { object } from '#core/http/schemas.ts';
import { buildRouter } from '#core/http/server/router.ts';
import { publicRoute, route } from '#core/module/route.ts';
import { anySignedIn } from '#core/module/scopes.ts';
import { createLogger } from '#core/platform/process/logger.ts';
import { authenticate } from '#identity/people/auth-sessions/auth-sessions.ts';
import { buildOrganization, buildUser, signIn } from '../../harness/factories.ts';
import { httpClient } from '../../harness/fetch.ts';
import { useApp } from '../../harness/http.ts';
import { type ListeningServer, listen } from '../../harness/server.ts';

const app = useApp(test);
const secret = 'an undeclared column';

const common = { tag: 'fixture', demo: 'loop' as const, summary: 'Fixture', allow: 'signed in' as const };

/** Renames the caller's organization, then responds with `answer`. */
const renaming = (operation: string, name: string, answer: () => Answer) =>
  route({
    ...common,
    method: 'post',
    path: `/fixture/${operation}`,
    operation,
    scope: anySignedIn,
    answers: { 200: object({ name: Type.String() }) },
    run: async ({ trx, actor }) => {
      await trx('organization').where({ id: actor.organizationId }).update({ name });
      return answer() as Answer<200, { name: string }>;
    },
  });

const fixtures = [
  renaming('fits', 'renamed', () => ok({ name: 'renamed' })),
  renaming('tooMuch', 'too much', () => ok({ name: 'too much', secret })),
  renaming('tooLittle', 'too little', () => ok({})),
  renaming('otherStatus', 'other status', () => created({ name: 'other status' })),
  publicRoute({
    ...common,
    method: 'get',
    path: '/fixture/open',
    operation: 'openFixture',
    answers: { 200: object({ name: Type.String() }) },
    run: async () => ok({ name: 'x', secret }) as Answer<200, { name: string }>,
  }),
];

let server: ListeningServer;
const fixture = httpClient(() => server.url);

test.before(async () => {
  const { services, database, clock } = app;
  const router = buildRouter(fixtures, {
    db: database.app,
    clock,
    services,
    verifyToken: services.tokens.verify,
    authenticate,
    log: createLogger('silent'),
    trustProxy: 0,
    observe: () => {},
  });
  server = await listen(router);
});

test.after(() => server.close());

async function call(operation: string) {
  const organizationId = (await buildOrganization(app.database.owner, { name: 'before' })).id;
  const token = await signIn(app, await buildUser(app.database.owner, 'ADMIN', { organizationId }));
  const reply = await fixture.post<Record<string, unknown>>(`/fixture/${operation}`, undefined, { token });
  const { name } = await app.database.owner('organization').where({ id: organizationId }).first('name');
  return { ...reply, nameAfterwards: name };
}

test('a response that matches its schema is sent, and the change is committed', async () => {
  const { status, body, nameAfterwards } = await call('fits');
  assert.is(status, 200);
  assert.equal(body, { name: 'renamed' });
  assert.is(nameAfterwards, 'renamed');
});

for (const operation of ['tooMuch', 'tooLittle', 'otherStatus']) {
  test(`${operation}: 500 INTERNAL, nothing of it is sent, and the change is rolled back`, async () => {
    const { status, body, nameAfterwards } = await call(operation);
    assert.is(status, 500);
    assert.is(body.code, 'INTERNAL');
    assert.not.match(JSON.stringify(body), /an undeclared column|schema|fixture/i);
    assert.is(nameAfterwards, 'before');
  });
}

test('the response of a public route is checked too', async () => {
  const { status, body } = await fixture.get('/fixture/open');
  assert.is(status, 500);
  assert.not.match(JSON.stringify(body), /an undeclared column/);
});

test.run();
