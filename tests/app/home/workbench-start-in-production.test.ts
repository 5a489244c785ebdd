// The same in production: registration needs a token, and nobody is told a login.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { buildOrganization, password } from '../../harness/factories.ts';
import { useApp } from '../../harness/http.ts';

const token = 'b'.repeat(32);
const app = useApp(test, {
  settings: {
    NODE_ENV: 'production',
    TOKEN_SIGNING_KEY: 'unused',
    TOKEN_ENCRYPTION_KEY: 'unused',
    IP_HASH_SALT: 'sixteen characters and more',
    BOOTSTRAP_TOKEN: token,
    GOOGLE_CLIENT_ID: 'client',
    GOOGLE_CLIENT_SECRET: 'secret',
    FRONTEND_URL: 'https://app.example.org',
    PUBLIC_URL: 'https://literacy.example.org',
  },
});
const path = '/api/workbench/start';

test('registration needs the token, Google is configured, and a demo has no public logins', async () => {
  await buildOrganization(app.database.owner, { slug: 'demo', isDemo: true });
  const open = { registrationOpen: true, bootstrapTokenRequired: true, googleSignIn: true, demo: false };
  assert.equal((await app.get(path)).body, open);
  const registration = { email: 'first@example.org', password, fullNameAr: 'مديرة', primaryPersona: 'ADMIN' };
  const headers = { 'x-bootstrap-token': token };
  assert.is((await app.post('/api/auth/register', registration, { headers })).status, 201);
  assert.equal((await app.get(path)).body, { ...open, registrationOpen: false, bootstrapTokenRequired: false });
});

test.run();
