// timeout: 480s
// The demo in production: the read-only organization alone, under the configured password, and no one is notified of it.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { loginsOf, demo as readOnly, sandbox } from '#app/demo/logins.ts';
import { prepareDemo } from '#app/demo/start.ts';
import { refuseUnsafeStart } from '#app/start-refusals.ts';
import { buildOrganization, buildSuperAdmin, buildUser, passwordHash } from '../../harness/factories.ts';
import { useApp } from '../../harness/http.ts';
import { codeOf, noGeneralLimits } from '../../security/support.ts';

const test = suite('the demo in production');
const configured = 'violet-harbour-5521-quiet';
const app = useApp(test, {
  rules: true,
  settings: {
    ...noGeneralLimits,
    NODE_ENV: 'production',
    TOKEN_SIGNING_KEY: 'unused',
    TOKEN_ENCRYPTION_KEY: 'unused',
    IP_HASH_SALT: 'sixteen characters and more',
    SEED_DEMO: 'true',
    DEMO_PASSWORD: configured,
  },
});
const { owner } = app.database;
let reported = '';

/** As an earlier start would have left it: seeding a whole demo is the subject of other tests. */
test.before(async () => {
  const { id: organizationId } = await buildOrganization(owner, { slug: readOnly.slug, isDemo: true });
  for (const { primaryPersona, email } of loginsOf(readOnly)) {
    await buildUser(owner, primaryPersona, { organizationId, email, passwordHash: await passwordHash() });
  }
  await prepareDemo(app.services, (text) => {
    reported += text;
  });
});

test('no sandbox is made, and no password printed', async () => {
  assert.equal(await owner('organization').where({ slug: sandbox.slug }), []);
  assert.not.match(reported, /password/i);
});

test('each login has the configured password, and only that', async () => {
  for (const { email, password: known } of loginsOf(readOnly)) {
    assert.is((await app.post('/api/auth/login', { email, password: configured })).status, 200, email);
    assert.is(codeOf(await app.post('/api/auth/login', { email, password: known })), 'INVALID_CREDENTIALS', email);
  }
});

test('they are not published', async () => {
  assert.is((await app.get('/api/demo/access')).status, 404);
  const page = await app.request('GET', '/');
  assert.not.match(JSON.stringify(page.body ?? ''), /@example\.org/);
});

test('a database that has the logins of the sandbox is no production', async () => {
  const { config, log } = app.services;
  await buildSuperAdmin(owner);
  await refuseUnsafeStart(config, app.database.app, log);
  const { id: organizationId } = await buildOrganization(owner);
  const [admin] = loginsOf(sandbox);
  await buildUser(owner, 'ADMIN', { organizationId, email: admin?.email });
  const start = refuseUnsafeStart(config, app.database.app, log);
  assert.match(
    await start.then(String, (error: Error) => error.message),
    /^NODE_ENV=production needs another database/,
  );
});

test.run();
