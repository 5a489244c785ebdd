// timeout: 240s
// waits: for what a stream says, and says again while nothing happens.
// The stream: the unread count at once and after each change in any process; three for each person; ended with the session.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createApp, createServices } from '#app/app.ts';
import type { Services } from '#core/module/services.ts';
import { inContext } from '#core/platform/db.ts';
import { createLogger } from '#core/platform/process/logger.ts';
import { eventually } from '../../../harness/eventually.ts';
import { signIn } from '../../../harness/factories.ts';
import { useApp } from '../../../harness/http.ts';
import { type ListeningServer, listen } from '../../../harness/server.ts';
import { buildWorld, type Person, type World } from '../../../harness/world.ts';
import { buildNotification } from '../rows.ts';
import { listenTo, type StreamClient } from './client.ts';

const test = suite('the stream of notifications');
const app = useApp(test);
let world: World;
/** A second process on the same database. */
let other: { readonly server: ListeningServer; readonly services: Services };
const clients: StreamClient[] = [];
/** A person without any change. */
let listener: StreamClient;
let listenedSinceMs: number;
/** Factor for a busy machine. */
const slowness = 5;
test.before(async () => {
  world = await buildWorld(app);
  other = await startAnother();
  listener = await listenTo(other.server.url, world.demo.people.TEACHER.token);
  listenedSinceMs = performance.now();
});
test.after.each(() => {
  for (const client of clients.splice(0)) client.close();
});
test.after(async () => {
  listener.close();
  await other.services.notificationStreams.close();
  await other.services.relayWakeup.close();
  await other.services.limits.close();
  await other.server.close();
});

async function startAnother() {
  const { config, clock, db, reserve, ipHashSalt } = app.services;
  const log = createLogger('silent');
  const secrets = {
    tokenSigningSeeds: [Buffer.alloc(32, 1)],
    tokenEncryptionKeys: [Buffer.alloc(32, 2)] as const,
    ipHashSalt,
  };
  const services = createServices({ config, secrets, clock, db, reserve, log });
  return { services, server: await listen(createApp(services, log)) };
}

async function open(person: Person, token = person.token, url = app.url()): Promise<StreamClient> {
  const client = await listenTo(url, token);
  clients.push(client);
  return client;
}

const counts = ({ heard }: StreamClient) => heard.map(({ data }) => data.count);

/** Stores a row and publishes the change in one transaction, like dispatch. */
async function arrive(person: Person): Promise<string> {
  app.clock.advance(1_000);
  const createdAt = app.clock.now().toISOString();
  return inContext(app.database.owner, 'SUPER', async (trx) => {
    const id = await buildNotification(trx, person, { createdAt });
    app.services.notificationStreams.tell(trx, [person.id]);
    return id;
  });
}

test('the count is sent at once and on each change, at every process; the id is the newest one', async () => {
  const { TEACHER: teacher, ADMIN: admin } = world.own.people;
  const [here, there, another] = [
    await open(teacher),
    await open(teacher, teacher.token, other.server.url),
    await open(admin),
  ];
  assert.is(here.status, 200);
  await eventually('all hear how it stands', () => [here, there, another].every(({ heard }) => heard.length === 1));
  assert.equal(here.heard[0], { id: undefined, event: 'unread', data: { count: 0 } });
  const id = await arrive(teacher);
  await eventually('both hear of one', () => [here, there].every(({ heard }) => heard.length === 2));
  for (const { heard } of [here, there]) assert.equal(heard[1], { id, event: 'unread', data: { count: 1 } });
  await app.post(`/api/notifications/${id}/read`, {}, { token: teacher.token });
  await eventually('both hear that it is read', () => [here, there].every(({ heard }) => heard.length === 3));
  await app.post(`/api/notifications/${id}/read`, {}, { token: teacher.token });
  const next = await arrive(teacher);
  await eventually('both hear of the next', () => [here, there].every(({ heard }) => heard.length === 4));
  assert.equal(counts(there), [0, 1, 0, 1], 'what changes nothing is not reported');
  assert.equal(counts(another), [0]);
  const again = await listenTo(app.url(), teacher.token, { 'last-event-id': id });
  clients.push(again);
  await eventually('who comes again hears how it stands', () => again.heard.length === 1);
  assert.equal(again.heard[0], { id: next, event: 'unread', data: { count: 1 } });
});

test('a change that was rolled back is not sent', async () => {
  const { PRINCIPAL: person } = world.own.people;
  const client = await open(person);
  await eventually('it stands', () => client.heard.length === 1);
  const createdAt = app.clock.now().toISOString();
  const undone = inContext(app.database.owner, 'SUPER', async (trx) => {
    await buildNotification(trx, person, { createdAt });
    app.services.notificationStreams.tell(trx, [person.id]);
    throw new Error('undone');
  });
  await undone.catch(() => {});
  await arrive(person);
  await eventually('the next one is notified', () => client.heard.length === 2);
  assert.equal(counts(client), [0, 1]);
});

test('three a person at all processes together, however they come: a fourth is refused until one is closed', async () => {
  const { MANAGER: person } = world.own.people;
  const urls = [app.url(), other.server.url];
  const asked = await Promise.all(
    Array.from({ length: 8 }, (_, at) => open(person, person.token, urls[at % 2] ?? app.url())),
  );
  const [admitted, refused] = [200, 429].map((status) => asked.filter((one) => one.status === status));
  assert.equal([admitted?.length, refused?.length], [3, 5]);
  for (const { retryAfter } of refused ?? []) assert.ok(Number(retryAfter) > 0);
  for (const url of urls) assert.is((await open(person, person.token, url)).status, 429);
  admitted?.[0]?.close();
  await eventually('a place is free', async () => (await open(person, person.token, other.server.url)).status === 200);
  assert.is((await open(person)).status, 429, 'one place, not more');
});

test('an ended stream frees its slot, and so does a HEAD request', async () => {
  const { STUDENT: person } = world.other.people;
  const taken = async () => (await app.database.owner('stream_place').where({ userId: person.id })).length;
  const head = await app.request('HEAD', '/api/notifications/stream', { token: person.token });
  assert.is(head.status, 200);
  await eventually('its place is free', async () => (await taken()) === 0);
  const client = await open(person);
  assert.is(await taken(), 1);
  client.close();
  await eventually('its place is free again', async () => (await taken()) === 0);
});

test('a process whose lease has ended ends its streams, whose slots belong to others by now', async () => {
  const { PARENT: person } = world.other.people;
  const [here, there] = [await open(person), await open(person, person.token, other.server.url)];
  const place = app.database.owner('stream_place').where({ userId: person.id }).orderBy('taken_at').first('processId');
  await app.database.owner('stream_process').where('id', place).delete();
  await eventually('the streams of that process end', () => here.hasEnded());
  assert.not.ok(there.hasEnded());
  assert.is((await open(person)).status, 200, 'who comes again is let in');
});

test('a stream ends within two seconds of its session, at whichever process that was ended, and no other does', async () => {
  const { PARENT: person } = world.own.people;
  const token = await signIn(app, person);
  const [ending, staying] = [await open(person, token, other.server.url), await open(person)];
  await eventually('both stand', () => [ending, staying].every(({ heard }) => heard.length === 1));
  assert.is((await app.post('/api/auth/logout', {}, { token })).status, 204);
  const since = performance.now();
  await eventually('the stream of the session ends', () => ending.hasEnded());
  assert.ok(performance.now() - since < 2_000 * slowness, `${performance.now() - since} ms`);
  assert.not.ok(staying.hasEnded());
  await arrive(person);
  await eventually('the other one goes on', () => staying.heard.length === 2);
});

test('a comment is sent after 25 seconds of silence', async () => {
  await eventually('a comment', () => listener.beats() > 0);
  const afterMs = performance.now() - listenedSinceMs;
  assert.ok(afterMs >= 25_000 && afterMs < 25_000 + 2_000 * slowness, `${afterMs} ms`);
});

test('a stream ends when the account is deactivated, and at the end of its token', async () => {
  const { 'TEACHER elsewhere': person, 'PARENT elsewhere': other } = world.own.people;
  const [first, second] = [await open(person), await open(other)];
  await eventually('both stand', () => [first, second].every(({ heard }) => heard.length === 1));
  await app.database.owner('app_user').where({ id: person.id }).update({ status: 'inactive' });
  await eventually('the deactivated one ends', () => first.hasEnded());
  assert.not.ok(second.hasEnded());
  app.clock.advance(899_000);
  assert.not.ok(second.hasEnded());
  app.clock.advance(60_000);
  await eventually('the token is over', () => second.hasEnded());
});

test('the token’s end needs no database: a stream ends while that answers nothing', async () => {
  const { 'PRINCIPAL elsewhere': person } = world.own.people;
  const { owner } = app.database;
  const client = await open(person, await signIn(app, person));
  await eventually('it stands', () => client.heard.length === 1);
  const holder = await owner.transaction();
  try {
    await holder.raw('lock table auth_session in access exclusive mode');
    await eventually('the look at sessions waits', async () => {
      const { rows } = await owner.raw(
        `select from pg_locks where relation = 'auth_session'::regclass and not granted
           and database = (select oid from pg_database where datname = current_database())`,
      );
      return rows.length > 0;
    });
    app.clock.advance(901_000);
    await eventually('its token is over', () => client.hasEnded());
  } finally {
    await holder.rollback();
  }
});

test('a call that was lost is made up for: who listens again hears what was missed', async () => {
  const person = world.other.people.TEACHER;
  const token = await signIn(app, person);
  const client = await open(person, token);
  await eventually('it stands', () => client.heard.length === 1);
  const createdAt = app.clock.now().toISOString();
  await buildNotification(app.database.owner, person, { createdAt });
  await app.database.owner.raw(
    "select pg_terminate_backend(pid) from pg_stat_activity where query = 'listen notifications' and datname = current_database()",
  );
  await eventually('the listener is back, and looks', () => client.heard.length === 2);
});

test('HEAD is answered, and a refused stream is an answer like any other', async () => {
  const { token } = world.own.people.STUDENT;
  const fresh = await signIn(app, world.other.people.ADMIN);
  const head = await app.request('HEAD', '/api/notifications/stream', { token: fresh });
  assert.equal([head.status, head.body], [200, undefined]);
  assert.is((await app.get('/api/notifications/stream')).status, 401);
  assert.is((await app.get('/api/notifications/stream', { token })).status, 401, 'its token has ended');
});

test('no connection is held by a stream', async () => {
  const person = world.other.people.PRINCIPAL;
  const token = await signIn(app, person);
  for (let at = 0; at < 3; at++) await open(person, token);
  const pool = app.database.app.client.pool as { numUsed(): number };
  await eventually('all connections are free', () => pool.numUsed() === 0);
});

test('a process that ends closes its streams first, and takes no new one', async () => {
  const person = world.other.people.MANAGER;
  const token = await signIn(app, person);
  const client = await open(person, token, other.server.url);
  await eventually('it stands', () => client.heard.length === 1);
  await other.services.notificationStreams.close();
  await eventually('it ends', () => client.hasEnded());
  assert.is((await listenTo(other.server.url, token)).status, 503);
});

test.run();
