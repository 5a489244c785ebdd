// timeout: 480s
// Fifty simultaneous requests in twenty rounds: exactly one has an effect, the others get the documented response, and
// none fails unexpectedly.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { newId } from '#core/platform/ids.ts';
import { sha256Hex } from '#core/platform/pure/canonical-json.ts';
import { platformOrganizationId } from '#core/platform/pure/platform-organization.ts';
import { buildUser, openSessionOf, password } from '../harness/factories.ts';
import type { Reply } from '../harness/fetch.ts';
import { useApp } from '../harness/http.ts';
import { buildTenant, type Tenant } from '../harness/world.ts';
import { codeOf, from, inParallel, noGeneralLimits, tally } from './support.ts';

const parallel = 50;
const rounds = 20;
const app = useApp(test, { settings: noGeneralLimits });
const { owner } = app.database;
let tenant: Tenant;

test.before(async () => {
  tenant = await buildTenant(app);
});

/** `round` prepares and returns the request that all callers send. `check` asserts responses and stored rows. */
async function race(
  round: () => Promise<{ send: (n: number) => Promise<Reply>; check: (replies: Reply[]) => unknown }>,
) {
  for (let number = 0; number < rounds; number++) {
    const { send, check } = await round();
    const replies = await inParallel(parallel, send);
    assert.not.ok(
      replies.some(({ status }) => status >= 500),
      JSON.stringify(tally(replies)),
    );
    await check(replies);
  }
}

test('bootstrap: one SUPER admin, 49 times PERMISSION_DENIED', async () => {
  await race(async () => {
    await owner('refresh_token').where({ organizationId: platformOrganizationId }).delete();
    await owner('auth_session').where({ organizationId: platformOrganizationId }).delete();
    await owner('app_user').where({ scope: 'SUPER' }).delete();
    return {
      send: (n) =>
        app.post('/api/auth/register', {
          email: `${n}-${newId()}@example.org`,
          password,
          fullNameAr: 'مديرة',
          primaryPersona: 'ADMIN',
        }),
      async check(replies) {
        assert.equal(tally(replies), { '201': 1, '403 PERMISSION_DENIED': parallel - 1 });
        assert.is((await owner('app_user').where({ scope: 'SUPER' })).length, 1);
      },
    };
  });
});

/** Limit of one session. The other sessions do not matter here. */
const refreshesPerMinute = 20;

test('refresh: a token is spent once; the others are refused as theft, and the session ends', async () => {
  await race(async () => {
    const { refreshToken, accessToken } = await openSessionOf(app, tenant.people.TEACHER);
    return {
      send: () => app.post('/api/auth/refresh', { refreshToken }),
      async check(replies) {
        const looked = { '200': 1, '401 SESSION_REVOKED': refreshesPerMinute - 1 };
        assert.equal(tally(replies), { ...looked, '429 RATE_LIMITED': parallel - refreshesPerMinute });
        assert.is(codeOf(await app.get('/api/auth/me', { token: accessToken })), 'SESSION_REVOKED');
      },
    };
  });
});

test('handoff exchange: one pair of tokens, 49 times STATE_EXPIRED', async () => {
  const { id: userId, organizationId } = tenant.people.TEACHER;
  await race(async () => {
    const code = newId();
    const expiresAt = new Date(app.clock.now().getTime() + 60_000);
    await owner('handoff_code').insert({ codeHash: sha256Hex(code), organizationId, userId, expiresAt });
    return {
      send: () => app.post('/api/auth/google/exchange', { code }),
      check: (replies) => assert.equal(tally(replies), { '200': 1, '401 STATE_EXPIRED': parallel - 1 }),
    };
  });
});

test('quick code: exactly one of fifty new codes is valid', async () => {
  const { STUDENT, TEACHER } = tenant.people;
  await race(async () => ({
    send: () => app.post(`/api/students/${STUDENT.id}/quick-code`, undefined, { token: TEACHER.token }),
    async check(replies) {
      assert.equal(tally(replies), { '201': parallel });
      const stored: { codeHash: string }[] = await owner('quick_code').where({ studentId: STUDENT.id });
      assert.is(stored.length, 1);
      const hashes = replies.map(({ body }) =>
        app.services.cipher.keyedHash('quick_code', (body as { quickCode: string }).quickCode),
      );
      assert.is(new Set(hashes).size, parallel);
      assert.ok(hashes.includes(stored[0]?.codeHash ?? ''));
    },
  }));
});

test('teacher assignment: the same teacher once, 49 times CONFLICT', async () => {
  const { token } = tenant.people.ADMIN;
  await race(async () => {
    const { id } = await buildUser(owner, 'TEACHER', { organizationId: tenant.organizationId });
    return {
      send: () => app.post(`/api/classes/${tenant.classRow.id}/teachers`, { teacherUserId: id }, { token }),
      async check(replies) {
        assert.equal(tally(replies), { '201': 1, '409 CONFLICT': parallel - 1 });
        assert.is((await owner('class_teacher').where({ teacherUserId: id })).length, 1);
      },
    };
  });
});

test('one e-mail address: one account, 49 times EMAIL_EXISTS', async () => {
  const { token } = tenant.people.ADMIN;
  const { organizationId } = tenant;
  await race(async () => {
    const email = `${newId()}@example.org`;
    const cases = [email, email.toUpperCase(), ` ${email} `];
    const body = { primaryPersona: 'MANAGER', fullNameAr: 'مدير', password, organizationId };
    return {
      send: (n) => app.post('/api/users', { ...body, email: cases[n % cases.length] }, { token }),
      async check(replies) {
        assert.equal(tally(replies), { '201': 1, '409 EMAIL_EXISTS': parallel - 1 });
        assert.is((await owner('app_user').where({ email })).length, 1);
      },
    };
  });
});

test('the public bootstrap fifty times at once: one account, and only one caller receives it', async () => {
  await owner('refresh_token').where({ organizationId: platformOrganizationId }).delete();
  await owner('auth_session').where({ organizationId: platformOrganizationId }).delete();
  await owner('app_user').where({ scope: 'SUPER' }).delete();
  const body = { email: `${newId()}@example.org`, password, fullNameAr: 'مديرة', primaryPersona: 'ADMIN' };
  const replies = await inParallel(parallel, (n) =>
    app.post('/api/auth/register', body, { headers: { 'idempotency-key': `key-${n % 25}`, ...from('192.0.2.1') } }),
  );
  assert.equal(tally(replies), { '201': 1, '403 PERMISSION_DENIED': parallel - 1 });
});

test.run();
