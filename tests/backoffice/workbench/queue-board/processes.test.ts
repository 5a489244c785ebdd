// timeout: 240s
// waits: for the reports of a process that was killed to be 15 seconds old.
// The board of real processes: a killed worker is gone, and a dead Redis is 503.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { freePort } from '#core/platform/postgres/processes.ts';
import { useDatabase } from '../../../harness/database.ts';
import { buildSuperAdmin, password, passwordHash } from '../../../harness/factories.ts';
import { httpClient } from '../../../harness/fetch.ts';
import { browserOf } from '../../../identity/people/workbench-session/browser.ts';
import { onDatabase, type Program, ready, usePrograms, within, withOwnRedis } from '../../../start/program.ts';

const test = suite('the board of real processes');
const database = useDatabase(test);
const run = usePrograms(test);

interface Board {
  readonly processes: readonly { readonly role: string; readonly queues: readonly string[] }[];
  readonly queues: readonly { readonly name: string }[];
  readonly code?: string;
}

async function served(settings: Record<string, string>) {
  const PORT = String(await freePort());
  const service = run('src/main.ts', { ...settings, PORT });
  const [, url = ''] = await service.until(ready);
  const http = httpClient(() => url);
  const page = { origin: `http://localhost:${PORT}`, 'x-workbench': '1' };
  const { email } = await buildSuperAdmin(database.owner, { passwordHash: await passwordHash() });
  const browser = browserOf(http, page);
  const opened = await browser.open({ email, password });
  assert.is(opened.status, 200, JSON.stringify(opened.body));
  const { accessToken: token } = opened.body;
  return { service, page, http, email, board: () => http.get<Board>('/api/admin/queues', { token }) };
}

const rolesOf = async (board: () => Promise<{ body: Board }>) =>
  (await board()).body.processes.map(({ role }) => role).join(' ');

test('kill -9 of a worker: it is on the board until its last report is 15 seconds old', async () => {
  const settings = onDatabase(database);
  const { service, board } = await served({ ...settings, WORKERS: 'none' });
  const worker: Program = run('workers/main.ts', onDatabase(database));
  await worker.until(/Workers are running/);
  await within(10_000, 'both are on the board', async () => (await rolesOf(board)) === 'api worker');
  const { processes, queues } = (await board()).body;
  assert.equal(
    processes.map((one) => one.queues),
    [[], queues.map(({ name }) => name).sort()],
  );
  worker.child.kill('SIGKILL');
  await worker.ended();
  const killed = performance.now();
  assert.is(await rolesOf(board), 'api worker', 'its report still stands');
  await within(20_000, 'the worker is gone', async () => (await rolesOf(board)) === 'api');
  const seconds = (performance.now() - killed) / 1_000;
  assert.ok(seconds > 8, `gone after ${seconds} s, though it reports every five`);
  await service.stop();
});

withOwnRedis('the board while Redis is away', (start) => {
  test('Redis is down: the board and opening a session are 503, and the cookie is not lost', async () => {
    const redis = await start();
    const settings = { ...onDatabase(database), REDIS_URL: redis.url };
    const { service, board, http, page, email } = await served(settings);
    const held = browserOf(http, page);
    assert.is((await held.open({ email, password })).status, 200);
    assert.is((await board()).status, 200);
    redis.kill();
    await within(30_000, 'the board is 503', async () => {
      const { status, body } = await board();
      return status === 503 && body.code === 'ENGINE_UNAVAILABLE';
    });
    const refused = await browserOf(http, page).open({ email, password });
    assert.equal([refused.status, refused.body.code], [503, 'ENGINE_UNAVAILABLE']);
    assert.is((await held.refresh()).status, 200, 'a session goes on, as at /api/auth/refresh');
    await service.stop();
  });
});

test.run();
