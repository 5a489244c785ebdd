// waits: for timeouts of the service
// How long a caller waits for the database: a connection or a row that does not become free in five seconds is 503 with
// retryAfter, never a request that hangs.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Trx } from '#core/platform/db.ts';
import type { Reply } from '../../harness/fetch.ts';
import { useApp } from '../../harness/http.ts';
import { buildTenant, type Tenant } from '../../harness/world.ts';

const app = useApp(test, { servedTimeouts: true, ownStatements: true });
const { owner, app: served } = app.database;
const waitMs = 5_000;
/** The connections of requests: the platform's login has some of the ten. */
const connections: number = served.client.pool.max;

let own: Tenant;
test.before(async () => {
  own = await buildTenant(app);
});

async function assertGivenUp(ask: () => Promise<Reply>): Promise<void> {
  const startedAt = performance.now();
  const { status, body, headers } = await ask();
  assert.ok(performance.now() - startedAt >= waitMs - 100, 'gave up before its time');
  const { code, retryAfter } = body as { code: string; retryAfter: number };
  assert.equal([status, code, headers.get('retry-after')], [503, 'ENGINE_UNAVAILABLE', String(retryAfter)]);
}

/** Releases what the test holds, whatever the result of the request. */
async function whileHeld(begin: () => Promise<Trx[]>, work: () => Promise<void>): Promise<void> {
  const held = await begin();
  try {
    await work();
  } finally {
    for (const trx of held) await trx.rollback();
  }
}

test('all connections are in use: 503 after five seconds, and served again when one is free', async () => {
  const { token } = own.people.ADMIN;
  const ask = () => app.get('/api/auth/me', { token });
  const takeAll = () => Promise.all(Array.from({ length: connections }, () => served.transaction()));
  await whileHeld(takeAll, () => assertGivenUp(ask));
  assert.is((await ask()).status, 200);
});

test('the row is locked: 503 after five seconds, and the change succeeds when it is released', async () => {
  const { token } = own.people.ADMIN;
  const ask = () => app.patch(`/api/schools/${own.school.id}`, { name: 'Another name' }, { token });
  const takeRow = async () => {
    const trx = await owner.transaction();
    await trx('school').where({ id: own.school.id }).forUpdate();
    return [trx];
  };
  await whileHeld(takeRow, () => assertGivenUp(ask));
  assert.is((await ask()).status, 200);
});

test.run();
