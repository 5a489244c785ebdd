// timeout: 180s
// Security events: which are recorded, that a refused request leaves one, who may read them, and how long they are
// kept.
import { pino } from 'pino';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createApp } from '#app/app.ts';
import { enterContext } from '#core/platform/db.ts';
import type { SecurityEvent } from '#identity/security-events/index.ts';
import { eventually } from '../../harness/eventually.ts';
import { openSessionOf, signIn } from '../../harness/factories.ts';
import { httpClient, type Reply } from '../../harness/fetch.ts';
import { useApp } from '../../harness/http.ts';
import { listen } from '../../harness/server.ts';
import { buildWorld, type World } from '../../harness/world.ts';
import { codeOf, from, noGeneralLimits } from '../support.ts';

const app = useApp(test, { settings: noGeneralLimits });
const { owner } = app.database;
let world: World;

test.before.each(async () => {
  world = await buildWorld(app);
});

type Listed = Omit<SecurityEvent, 'at'> & { id: number; at: string };
interface Page {
  readonly items: Listed[];
  readonly nextCursor: string | null;
}

const read = async (token: string, query = ''): Promise<Reply<Page>> => {
  await app.services.securityEvents.settled();
  return app.get<Page>(`/api/admin/security-events${query}`, { token });
};
const asAdmin = () => world.own.people.ADMIN.token;
const address = '203.0.113.9';
const addressHash = () => app.services.addressHash(address);

const event = (overrides: Partial<SecurityEvent> = {}): SecurityEvent => ({
  kind: 'second_factor',
  organizationId: world.own.organizationId,
  userId: 7,
  addressHash: null,
  details: { action: 'enrolled' },
  at: app.clock.now(),
  ...overrides,
});

test('a refused permission names caller, operation and address; the first of a caller and operation in 15 minutes', async () => {
  const { TEACHER } = world.own.people;
  const token = () => signIn(app, TEACHER);
  const ask = async () => app.get('/api/users', { token: await token(), headers: from(address) });
  for (let tries = 0; tries < 3; tries++) assert.is((await ask()).status, 403);
  const admin = () => signIn(app, world.own.people.ADMIN);
  const query = `?kind=permission_denied&userId=${TEACHER.id}`;
  const [first, ...more] = (await read(await admin(), query)).body.items;
  assert.equal(more, []);
  const { organizationId } = world.own;
  const expected = { kind: 'permission_denied', userId: TEACHER.id, organizationId, addressHash: addressHash() };
  const { id: _id, ...listed } = first as Listed;
  assert.equal(listed, { ...expected, at: app.clock.now().toISOString(), details: { operation: 'listUsers' } });
  await app.get(`/api/users/${TEACHER.id}`, { token: await token() });
  app.clock.advance(15 * 60_000 - 1);
  await ask();
  assert.is((await read(await admin(), query)).body.items.length, 2, 'another operation');
  app.clock.advance(1);
  await ask();
  assert.is((await read(await admin(), query)).body.items.length, 3, 'a new window');
});

test('a refusal because of reach is recorded too', async () => {
  const { token, id } = world.own.people['TEACHER elsewhere'];
  assert.is((await app.get(`/api/classes/${world.own.classRow.id}`, { token })).status, 403);
  const { items } = (await read(asAdmin(), `?userId=${id}`)).body;
  assert.equal(
    items.map(({ details }) => details),
    [{ operation: 'getClass' }],
  );
});

test('a refresh token that is used twice', async () => {
  const { PARENT } = world.own.people;
  const { refreshToken } = await openSessionOf(app, PARENT);
  const refresh = () => app.post('/api/auth/refresh', { refreshToken }, { headers: from(address) });
  assert.is((await refresh()).status, 200);
  assert.is(codeOf(await refresh()), 'SESSION_REVOKED');
  assert.is(codeOf(await refresh()), 'SESSION_REVOKED');
  const { items } = (await read(asAdmin(), '?kind=refresh_reuse')).body;
  assert.equal(
    items.map(({ userId, addressHash: hash }) => [userId, hash]),
    [[PARENT.id, addressHash()]],
  );
});

test('a password that another person sets', async () => {
  const { ADMIN, TEACHER } = world.own.people;
  const body = { password: 'violet-harbour-5521' };
  assert.is((await app.patch(`/api/users/${TEACHER.id}`, body, { token: asAdmin() })).status, 200);
  assert.is((await app.patch(`/api/users/${TEACHER.id}`, { locale: 'ar' }, { token: asAdmin() })).status, 200);
  const { items } = (await read(asAdmin(), '?kind=password_set')).body;
  assert.equal(
    items.map(({ userId, details }) => [userId, details]),
    [[ADMIN.id, { subjectId: TEACHER.id }]],
  );
});

test('an administrator reads the events of the own organization, a SUPER administrator all events', async () => {
  const { own, other, superAdmin } = world;
  const mark = { kind: 'password_set', userId: 4711 } as const;
  for (const organizationId of [own.organizationId, other.organizationId, null]) {
    app.services.securityEvents.record(event({ ...mark, organizationId }));
  }
  const seenBy = async (token: string) =>
    (await read(token, '?userId=4711')).body.items.map(({ organizationId }) => organizationId);
  assert.equal(await seenBy(asAdmin()), [own.organizationId]);
  assert.equal(await seenBy(superAdmin.token), [null, other.organizationId, own.organizationId]);
  for (const persona of ['MANAGER', 'PRINCIPAL', 'TEACHER', 'PARENT', 'STUDENT'] as const) {
    assert.is((await read(own.people[persona].token)).status, 403, persona);
  }
});

test('pages follow each other without gaps; from is inclusive, to exclusive; unknown kinds are refused', async () => {
  const start = app.clock.now();
  for (let minute = 0; minute < 5; minute++) {
    app.services.securityEvents.record(event({ at: new Date(start.getTime() + minute * 60_000), userId: minute + 1 }));
  }
  const at = (minute: number) => new Date(start.getTime() + minute * 60_000).toISOString();
  const users = (reply: Reply<Page>) => reply.body.items.map(({ userId }) => userId);
  const span = `kind=second_factor&from=${at(1)}&to=${at(4)}`;
  assert.equal(users(await read(asAdmin(), `?${span}`)), [4, 3, 2]);
  const first = await read(asAdmin(), `?${span}&limit=2`);
  assert.equal(users(first), [4, 3]);
  const second = await read(asAdmin(), `?${span}&limit=2&cursor=${first.body.nextCursor}`);
  assert.equal([users(second), second.body.nextCursor], [[2], null]);
  for (const query of ['?kind=nothing', '?userId=x', '?from=yesterday', '?cursor=x']) {
    assert.is((await read(asAdmin(), query)).status, 422, query);
  }
});

test('an event that cannot be stored neither fails nor delays a request', async () => {
  const { securityEvents, db } = app.services;
  securityEvents.record(event({ organizationId: 'no-such-organization' }));
  securityEvents.record(event({ organizationId: 'no-such-organization' }));
  securityEvents.record(event({ userId: 9_000_001 }));
  await securityEvents.settled();
  await db.transaction(async (trx) => {
    await securityEvents.recordWith(trx, event({ userId: 9_000_002 }));
    assert.equal((await trx.raw('select 1 as one')).rows, [{ one: 1 }], 'the transaction continues');
  });
  assert.equal(await owner('security_event').where({ userId: 9_000_002 }), [], 'no context, no row');
  assert.is(
    (await owner('security_event').where({ userId: 9_000_001 })).length,
    1,
    'the next one of its batch is not lost with it',
  );
});

test('rows are immutable, and only the purge deletes them', async () => {
  for (const db of [owner, app.database.app]) {
    for (const sql of ['update security_event set user_id = 1', 'delete from security_event']) {
      const outcome = db.transaction(async (trx) => {
        await enterContext(trx, 'SUPER');
        await trx.raw(sql);
      });
      assert.match(String(await outcome.catch((error: unknown) => error)), /append-only|permission denied/, sql);
    }
  }
  assert.match(String(await owner.raw('truncate security_event').catch(String)), 'append-only');
});

test('the log line of a request has user, session, address hash, operation, status and time', async () => {
  const lines: string[] = [];
  const log = pino({ base: {} }, { write: (line) => lines.push(line) });
  const server = await listen(createApp(app.services, log));
  try {
    const { TEACHER } = world.own.people;
    const client = httpClient(() => server.url);
    await client.get('/api/users', { token: TEACHER.token, headers: from(address) });
    await client.get('/healthz', { headers: from(address) });
    await client.get('/api/auth/me', { token: 'x.y.z', headers: from(address) });
    const requests = () => lines.map((line) => JSON.parse(line)).filter(({ operation }) => operation !== undefined);
    await eventually('three lines', () => requests().length >= 3);
    const listed = requests();
    const session = await owner('auth_session').where({ userId: TEACHER.id }).first('id');
    assert.equal(
      listed.map(({ operation, status, userId, sessionId, addressHash: hash }) => [
        operation,
        status,
        userId,
        sessionId,
        hash,
      ]),
      [
        ['listUsers', 403, TEACHER.id, session.id, addressHash()],
        ['getLiveness', 200, undefined, undefined, addressHash()],
        ['getMe', 401, undefined, undefined, addressHash()],
      ],
    );
    for (const { ms } of listed) assert.ok(Number.isInteger(ms));
    assert.not.ok(lines.join().includes(address));
  } finally {
    await server.close();
  }
});

test.run();
