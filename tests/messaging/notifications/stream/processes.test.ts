// timeout: 240s
// waits: for the lease of a process that was killed.
// Streams of real processes: a killed one frees its slots, and one that stops ends its streams at once, whatever the state of
// its database.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { useDatabase } from '../../../harness/database.ts';
import { buildUser, type UserRow } from '../../../harness/factories.ts';
import { httpClient } from '../../../harness/fetch.ts';
import { password, passwordHash } from '../../../harness/passwords.ts';
import { type Gate, gate } from '../../../start/gate.ts';
import { onDatabase, type Program, ready, usePrograms, within } from '../../../start/program.ts';
import { listenTo, type StreamClient } from './client.ts';

const test = suite('streams of processes');
const database = useDatabase(test);
const run = usePrograms(test);
const clients: StreamClient[] = [];
test.after(() => {
  for (const client of clients) client.close();
});

async function started(settings: Record<string, string>): Promise<{ service: Program; url: string }> {
  const service = run('src/main.ts', { ...settings, WORKERS: 'none' });
  const [, url = ''] = await service.until(ready);
  return { service, url };
}

async function openThree(url: string, { email }: UserRow): Promise<string> {
  const { body } = await httpClient(() => url).post<{ accessToken: string }>('/api/auth/login', { email, password });
  const token = body.accessToken;
  for (let at = 0; at < 3; at++) clients.push(await listenTo(url, token));
  assert.equal(
    clients.slice(-3).map(({ status }) => status),
    [200, 200, 200],
  );
  return token;
}

test('slots of a process that was killed are free within half a minute, and not before its lease ends', async () => {
  const settings = onDatabase(database);
  const [killed, other] = [await started(settings), await started(settings)];
  const person = await buildUser(database.owner, 'TEACHER', { passwordHash: await passwordHash() });
  const token = await openThree(killed.url, person);
  const status = async () => {
    const client = await listenTo(other.url, token);
    client.close();
    return client.status;
  };
  assert.is(await status(), 429);
  killed.service.child.kill('SIGKILL');
  await killed.service.ended();
  assert.is(await status(), 429);
  await within(30_000, 'its places are free', async () => (await status()) === 200);
  await other.service.stop();
});

const outages: readonly (readonly [string, (store: Gate) => void])[] = [
  ['is away', ({ shut }) => shut()],
  ['answers nothing', ({ silence }) => silence()],
];

for (const [what, begin] of outages) {
  test(`a process with open streams ends them and stops while PostgreSQL ${what}`, async () => {
    const store = await gate(database.ownerUrl);
    const settings = onDatabase(database);
    const { service, url } = await started({
      ...settings,
      DATABASE_URL: store.through(settings.DATABASE_URL),
      DATABASE_APP_URL: store.through(settings.DATABASE_APP_URL),
    });
    await openThree(url, await buildUser(database.owner, 'TEACHER', { passwordHash: await passwordHash() }));
    begin(store);
    await within(60_000, 'not ready', async () => !(await fetch(`${url}/readyz`)).ok);
    assert.not.ok(
      clients.slice(-3).some((client) => client.hasEnded()),
      'streams outlive an outage',
    );
    const { ms } = await service.stop();
    store.shut();
    assert.ok(clients.slice(-3).every((client) => client.hasEnded()));
    assert.ok(ms < 7_000, `${ms} ms`);
  });
}

test.run();
