// Sign-in, refresh, readiness and limits have connections beside those of requests and jobs, so they work when all of these are
// in use (contract 11, "Connections").
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { poolsOf } from '#core/platform/connections/pools.ts';
import type { Db, Trx } from '#core/platform/db.ts';
import { buildUser, openSessionOf, password, passwordHash } from '../../harness/factories.ts';
import { useApp } from '../../harness/http.ts';
import { buildTenant, type Tenant } from '../../harness/world.ts';

const app = useApp(test, { servedTimeouts: true, ownStatements: true, rules: true });
const { owner, app: served } = app.database;

let own: Tenant;
test.before(async () => {
  own = await buildTenant(app);
});

async function whileHeld(begin: () => Promise<Trx[]>, work: () => Promise<void>): Promise<void> {
  const held = await begin();
  try {
    await work();
  } finally {
    for (const trx of held) await trx.rollback();
  }
}
const takeAll = () =>
  Promise.all(
    Object.values(poolsOf(served)).flatMap((pool: Db) =>
      Array.from({ length: pool.client.pool.max }, () => pool.transaction()),
    ),
  );

/** A request that waits for a connection is refused after five seconds. */
const answered = async (ask: () => Promise<{ status: number }>): Promise<number> => (await ask()).status;

const teacher = async () => {
  const user = await buildUser(owner, 'TEACHER', {
    organizationId: own.organizationId,
    passwordHash: await passwordHash(),
  });
  return { ...user, login: () => app.post('/api/auth/login', { email: user.email, password }) };
};

test('all connections are in use: sign-in, refresh, quick codes and readiness work', async () => {
  const { login, ...user } = await teacher();
  const { refreshToken } = await openSessionOf(app, user);
  const { body: issued } = await app.post<{ quickCode: string }>(
    `/api/students/${own.people.STUDENT.id}/quick-code`,
    undefined,
    { token: own.people.TEACHER.token },
  );
  await whileHeld(takeAll, async () => {
    for (let times = 0; times < 5; times++) assert.is(await answered(login), 200);
    assert.is(await answered(() => app.post('/api/auth/refresh', { refreshToken })), 200);
    assert.is(await answered(() => app.post('/api/auth/quickcode', { quickCode: issued.quickCode })), 200);
    assert.is(await answered(() => app.post('/api/auth/quickcode', { quickCode: 'WRONG234' })), 401);
    assert.is(await answered(() => app.post('/api/auth/login', { email: user.email, password: 'a wrong one' })), 401);
    assert.is(await answered(() => app.get('/readyz')), 200);
    const { limits } = app.services;
    await limits.takeAsUser(user.id, 'closed');
    await limits.takeAsAddress('somewhere', 'closed');
  });
});

test('thirty people sign in at once while all connections are in use', async () => {
  const people: Awaited<ReturnType<typeof teacher>>[] = [];
  for (let at = 0; at < 30; at++) people.push(await teacher());
  await whileHeld(takeAll, async () => {
    const statuses = await Promise.all(people.map(({ login }) => answered(login)));
    assert.equal(new Set(statuses), new Set([200]));
  });
});

test('sign-ins that wait for a locked account block neither limits nor readiness', async () => {
  const people = [await teacher(), await teacher(), await teacher()];
  const lockAll = async () => {
    const trx = await owner.transaction();
    await trx('app_user')
      .whereIn(
        'id',
        people.map(({ id }) => id),
      )
      .orderBy('id')
      .forUpdate();
    return [trx];
  };
  const other = await teacher();
  let waiting: Promise<{ status: number }>[] = [];
  await whileHeld(lockAll, async () => {
    waiting = people.map(({ login }) => login());
    assert.is(await answered(() => app.get('/readyz')), 200);
    await app.services.limits.takeAsAddress('elsewhere', 'closed');
    assert.is(await answered(other.login), 200);
  });
  for (const { status } of await Promise.all(waiting)) assert.is(status, 200);
});

test.run();
