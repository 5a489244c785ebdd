// timeout: 300s
// waits: for ten seconds of each outage.
// While a store is down the log consists of few JSON lines.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { pause } from '#core/platform/postgres/processes.ts';
import { useDatabase } from '../harness/database.ts';
import { gate } from './gate.ts';
import { onDatabase, type Program, ready, usePrograms, within, withOwnRedis } from './program.ts';

const test = suite('outages');
const database = useDatabase(test);
const run = usePrograms(test);
const outageMs = 10_000;
const maxLinesPerSecond = 3;

/**
 * Returns the log lines of a running service during ten seconds of an outage, without those of the test's own requests.
 */
async function linesDuring(service: Program, address: string, begin: () => void): Promise<string[]> {
  await pause(1_000);
  const before = service.output().length;
  begin();
  const until = performance.now() + outageMs;
  while (performance.now() < until) {
    await fetch(`${address}/readyz`).catch(() => {});
    await fetch(`${address}/api/demo/access`).catch(() => {});
    await pause(100);
  }
  const lines = service.output().slice(before).split('\n').filter(Boolean);
  return lines.filter((line) => !isRequestLine(line));
}

function isRequestLine(line: string): boolean {
  const fields = JSON.parse(line) as Record<string, unknown>;
  return 'operation' in fields && 'status' in fields;
}

function assertCalm(lines: readonly string[]): void {
  const perSecond = lines.length / (outageMs / 1000);
  assert.ok(lines.length > 0, 'an outage is logged');
  assert.ok(perSecond < maxLinesPerSecond, `${perSecond} lines a second:\n${lines.join('\n').slice(0, 4000)}`);
}

test('PostgreSQL is down', async () => {
  const store = await gate(database.ownerUrl);
  const settings = onDatabase(database);
  const service = run('src/main.ts', {
    ...settings,
    LOG_LEVEL: 'info',
    DATABASE_URL: store.through(settings.DATABASE_URL),
    DATABASE_APP_URL: store.through(settings.DATABASE_APP_URL),
  });
  const [, address = ''] = await service.until(ready);
  assertCalm(await linesDuring(service, address, store.shut));
  await service.stop();
});

withOwnRedis('the log while Redis is away', (start) => {
  test('Redis is down', async () => {
    const redis = await start();
    try {
      const service = run('src/main.ts', { ...onDatabase(database), LOG_LEVEL: 'info', REDIS_URL: redis.url });
      const [, address = ''] = await service.until(ready);
      await within(60_000, 'ready', async () => (await fetch(`${address}/readyz`)).ok);
      assertCalm(await linesDuring(service, address, redis.kill));
      await service.stop();
    } finally {
      redis.kill();
    }
  });
});

test.run();
