// In production a permission that is withheld for want of a second factor belongs to the role: its owner gets in to enroll.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { buildSuperAdmin, password, passwordHash } from '../../../harness/factories.ts';
import { useApp } from '../../../harness/http.ts';
import { codeAt } from '../second-factor/totp-codes.ts';
import { browserOf } from './browser.ts';

const app = useApp(test, {
  settings: {
    NODE_ENV: 'production',
    TOKEN_SIGNING_KEY: 'unused',
    TOKEN_ENCRYPTION_KEY: 'unused',
    IP_HASH_SALT: 'sixteen characters and more',
    PUBLIC_URL: 'https://literacy.example.org',
  },
});
const page = { origin: 'https://literacy.example.org', 'x-workbench': '1' };

test('without a factor the session opens and holds no permission; after enrolling there it holds them', async () => {
  const user = await buildSuperAdmin(app.database.owner, { passwordHash: await passwordHash() });
  const one = browserOf(app, page);
  const { status, body, headers } = await one.open({ email: user.email, password });
  assert.is(status, 200, JSON.stringify(body));
  assert.equal(body.user.permissions, []);
  assert.match(headers.getSetCookie()[0] ?? '', /^__Secure-workbench=.*; Secure$/);
  const token = body.accessToken;
  const board = await app.get<{ details: unknown }>('/api/admin/names', { token });
  assert.equal([board.status, board.body.details], [403, [{ field: '', issue: 'second_factor_required' }]]);
  const { secret } = (await app.post<{ secret: string }>('/api/auth/totp/enroll', { password }, { token })).body;
  await app.post('/api/auth/totp/confirm', { code: codeAt(secret, app.clock.now()) }, { token });
  const refreshed = await one.refresh();
  assert.is(refreshed.status, 200);
  assert.is((await app.get('/api/admin/names', { token: refreshed.body.accessToken })).status, 200);
});

test.run();
