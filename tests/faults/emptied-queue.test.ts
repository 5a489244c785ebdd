// timeout: 300s
// The queue is not a system of record: emptying it delays recomputes and loses none.
import { Redis } from 'ioredis';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { skillStatusCapability } from '#assessment/skill-status/index.ts';
import { createLogger } from '#core/platform/process/logger.ts';
import { openQueues } from '#core/platform/queue/queue.ts';
import { relayAll } from '../../workers/relay.ts';
import type { TestDatabase } from '../harness/database.ts';
import { useApp } from '../harness/http.ts';
import { withRedis } from '../harness/needs.ts';
import { installShippedRules } from '../harness/rules.ts';
import {
  buildChild,
  type Child,
  eventually,
  finishDiagnostic,
  isServed,
  redisDatabase,
  resultCounts,
  startWorker,
} from './world.ts';

const timeoutMs = 60_000;
const children = 8;

/** Returns how many jobs were deleted. */
type Empty = (database: TestDatabase) => Promise<number>;

function emptyOn(store: string, redisUrl: string | undefined, empty: Empty): void {
  const test = suite(`emptied queue on ${store}`);
  const app = useApp(test);
  const { database } = app;
  const { owner } = database;
  test.before(() => installShippedRules(owner));

  /** Relays the events to requests and jobs while no worker is running. */
  async function relayed(): Promise<void> {
    const log = createLogger('silent');
    const queues = openQueues({ log, redisUrl, postgres: { connectionString: database.appUrl } });
    await relayAll(app.services, queues, skillStatusCapability.reactions ?? []);
    await queues.close();
  }

  test('jobs that were deleted while they waited are added again, and served once', async () => {
    const all: Child[] = [];
    for (let made = 0; made < children; made += 1) all.push(await buildChild(owner));
    for (const child of all) await finishDiagnostic(owner, child, ['LK_SOUND', 'DEC_WORD']);
    await relayed();
    assert.is(await empty(database), children, 'the jobs were there');
    const worker = await startWorker(database, redisUrl);
    try {
      for (const child of all) await eventually('every request is served', timeoutMs, () => isServed(owner, child));
    } finally {
      await worker.stop();
    }
    for (const child of all) {
      const counts = await resultCounts(owner, child);
      assert.equal(counts, { runs: 1, codes: 12, skills: 2, domains: 9, tiles: 7, events: 1 });
    }
  });

  test.run();
}

emptyOn('PostgreSQL', undefined, async ({ owner }) => {
  const { rows } = await owner.raw("delete from bullmq.job where queue = 'recompute' returning id");
  return rows.length;
});

withRedis('an emptied queue on Redis', (server) => {
  const redisUrl = redisDatabase(server, 12);
  emptyOn('Redis', redisUrl, async () => {
    const redis = new Redis(redisUrl);
    const waiting = await redis.llen('bull:recompute:wait');
    await redis.flushdb();
    redis.disconnect();
    return waiting;
  });
});
