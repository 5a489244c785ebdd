// In production a SUPER administrator without a verified second factor has no permission: every operation of the agreed
// table is requested.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { allRoutes } from '#app/app.ts';
import type { Route } from '#core/http/route.ts';
import { operations } from '../contract/operations/table.ts';
import { buildSuperAdmin, signIn } from '../harness/factories.ts';
import type { Reply } from '../harness/fetch.ts';
import { useApp } from '../harness/http.ts';
import { codeOf, from, noGeneralLimits } from './support.ts';

const inProduction = {
  ...noGeneralLimits,
  NODE_ENV: 'production',
  TOKEN_SIGNING_KEY: 'unused',
  TOKEN_ENCRYPTION_KEY: 'unused',
  IP_HASH_SALT: 'sixteen characters and more',
};
const app = useApp(test, { settings: inProduction });
let token: string;

test.before(async () => {
  token = await signIn(app, await buildSuperAdmin(app.database.owner));
});

const issueOf = ({ body }: Reply) => (body as { details?: { issue: string }[] } | undefined)?.details?.[0]?.issue;

function call({ method, path }: Route): Promise<Reply> {
  const address = path.replaceAll(/[:*]\w+/g, '1');
  const options = { token, headers: from('203.0.113.7'), ...(method !== 'get' && { body: {} }) };
  return app.request(method.toUpperCase(), address, options);
}

/** True when the operation is neither public nor open to every signed-in user. */
const needsPermission = (permissions: (typeof operations)[number]['permissions']) =>
  permissions !== 'public' && permissions !== 'signed in';

const tabled = new Map(operations.map((operation) => [operation.operationId, operation.permissions]));
const routes = allRoutes();

test('most of the table is covered', () => {
  const met = routes.filter(({ operation }) => needsPermission(tabled.get(operation) ?? 'public'));
  assert.ok(met.length > 200, String(met.length));
});

for (const one of routes) {
  const permissions = tabled.get(one.operation) ?? one.allow;
  if (permissions === 'public' || one.operation === 'logout') continue;
  test(`${one.operation}: ${needsPermission(permissions) ? 'refused without a second factor' : 'allowed'}`, async () => {
    if (one.operation === 'streamNotifications') return;
    const reply = await call(one);
    if (needsPermission(permissions))
      assert.equal([reply.status, codeOf(reply), issueOf(reply)], [403, 'PERMISSION_DENIED', 'second_factor_required']);
    else assert.is.not(issueOf(reply), 'second_factor_required');
  });
}

test('metrics, which machines read without a token, give no access either', async () => {
  const reply = await app.get('/metrics', { token, headers: from('203.0.113.7') });
  assert.equal([reply.status, issueOf(reply)], [403, 'second_factor_required']);
});

test.run();
