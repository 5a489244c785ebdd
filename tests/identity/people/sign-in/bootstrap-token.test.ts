// With a configured bootstrap token, the first registration must send it.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { useApp } from '../../../harness/http.ts';

const app = useApp(test, { settings: { BOOTSTRAP_TOKEN: 'the token of this installation' } });

const registration = {
  email: 'first@example.org',
  password: 'long enough for all',
  fullNameAr: 'المديرة',
  primaryPersona: 'ADMIN',
};

const register = (headers: Record<string, string>, body: unknown = registration) =>
  app.post<{ code: string }>('/api/auth/register', body, { headers });

for (const [what, headers] of [
  ['no token', {}],
  ['another token', { 'X-Bootstrap-Token': 'the token of another installation' }],
  ['an empty token', { 'X-Bootstrap-Token': '' }],
] as const) {
  test(`${what}: 403 for any body`, async () => {
    for (const body of [registration, {}]) {
      const reply = await register(headers, body);
      assert.is(reply.status, 403);
      assert.is(reply.body.code, 'PERMISSION_DENIED');
    }
  });
}

test('the token allows one registration', async () => {
  const headers = { 'X-Bootstrap-Token': 'the token of this installation' };
  assert.is((await register(headers)).status, 201);
  assert.is((await register(headers, { ...registration, email: 'second@example.org' })).status, 403);
});

test.run();
