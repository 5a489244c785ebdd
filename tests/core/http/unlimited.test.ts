// waits: responses are cached for a second.
// Routes without a limit cost the database the same, however many requests there are.
import { setTimeout as delay } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { allRoutes } from '#app/app.ts';
import { readinessOf } from '#backoffice/operations/readiness.ts';
import { useApp } from '../../harness/http.ts';

const test = suite('routes without a limit');
const app = useApp(test, { rules: true });
const unlimited = allRoutes().filter(({ limit }) => limit === 'none');
/** Requests from another machine, since this one may see more. */
const headers = { 'x-forwarded-for': '203.0.113.7' };

/** Returns the statements that the service sends while `work` runs. */
async function statementsDuring(work: () => Promise<unknown>): Promise<number> {
  let statements = 0;
  const count = () => {
    statements += 1;
  };
  app.database.app.on('query', count);
  await work().finally(() => app.database.app.off('query', count));
  return statements;
}

test('routes without a limit are few', () => {
  // Recordings are the same files for everyone, and a class behind one address plays hundreds in a minute.
  const few = ['getContentAudio', 'getLiveness', 'getMetrics', 'getReadiness'];
  assert.equal(unlimited.map(({ operation }) => operation).sort(), few);
});

type Asked = (typeof unlimited)[number];
const ask = ({ method, path }: Asked) => app.request(method.toUpperCase(), path, { headers });
/** The cost of one request of each without a cache. */
const costs = new Map<string, number>();

test.before(async () => {
  for (const route of unlimited) await ask(route);
  await delay(1_100);
  for (const route of unlimited) costs.set(route.operation, await statementsDuring(() => ask(route)));
  await delay(1_100);
});

for (const route of unlimited) {
  test(`${route.operation}: 300 requests cost no more statements than a handful`, async () => {
    const one = costs.get(route.operation) ?? 0;
    const startedAt = performance.now();
    const many = await statementsDuring(() => Promise.all(Array.from({ length: 300 }, () => ask(route))));
    const rounds = 1 + Math.ceil((performance.now() - startedAt) / 1_000);
    assert.ok(many <= one * rounds, `${one} for one, ${many} for 300`);
  });
}

test('readiness: requests during the checks share their result, and a later round sees changes', async () => {
  let asked = 0;
  let up = true;
  let nowMs = 0;
  const store = async () => {
    asked += 1;
    await delay(50);
    if (!up) throw new Error('away');
  };
  const readiness = readinessOf({ store }, () => nowMs);
  const together = await Promise.all(Array.from({ length: 50 }, readiness));
  assert.ok(together.every(({ store }) => store === 'ok'));
  up = false;
  nowMs = 999;
  assert.equal(await readiness(), { store: 'ok' });
  assert.is(asked, 1);
  nowMs = 1_000;
  assert.equal(await readiness(), { store: 'down' });
  assert.is(asked, 2);
});

test('readiness: a silent dependency is down for every caller, within its timeout', async () => {
  let asked = 0;
  const readiness = readinessOf({
    store: () => {
      asked += 1;
      return new Promise(() => {});
    },
  });
  const timeout = delay(4_000, [], { ref: false });
  const together = await Promise.race([Promise.all(Array.from({ length: 50 }, readiness)), timeout]);
  assert.is(together.length, 50, 'nothing was answered in time');
  assert.ok(together.every(({ store }) => store === 'down'));
  assert.is(asked, 1);
});

test('readiness over HTTP: 503 soon after the rules are gone', async () => {
  assert.is((await app.get('/readyz')).status, 200);
  app.clock.set('2001-01-01T00:00:00.000Z');
  await delay(1_100);
  assert.is((await app.get('/readyz')).status, 503);
});

test.run();
