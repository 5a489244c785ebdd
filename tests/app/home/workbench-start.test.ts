// What the sign-in page of the workbench learns before anybody is signed in.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { buildOrganization, password } from '../../harness/factories.ts';
import { useApp } from '../../harness/http.ts';

const app = useApp(test);
const path = '/api/workbench/start';
const closed = { registrationOpen: false, bootstrapTokenRequired: false, googleSignIn: false, demo: false };

test('a new service has open registration, and closes it with the first account', async () => {
  const { status, body } = await app.get(path);
  assert.is(status, 200);
  assert.equal(body, { ...closed, registrationOpen: true });
  const registration = { email: 'first@example.org', password, fullNameAr: 'مديرة', primaryPersona: 'ADMIN' };
  assert.is((await app.post('/api/auth/register', registration)).status, 201);
  assert.equal((await app.get(path)).body, closed);
});

test('the demo organization has public logins once it is seeded; another organization of its name has not', async () => {
  const { owner } = app.database;
  const { id } = await buildOrganization(owner, { slug: 'demo', isDemo: false });
  assert.equal((await app.get(path)).body, closed);
  await owner('organization').where({ id }).update({ isDemo: true });
  assert.equal((await app.get(path)).body, { ...closed, demo: true });
});

test.run();
