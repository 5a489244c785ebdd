// The general rate limit with Redis as its store.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openLimits } from '#core/platform/limits/limits.ts';
import { createLogger } from '#core/platform/process/logger.ts';
import { useDatabase } from '../../harness/database.ts';
import { eventually } from '../../harness/eventually.ts';
import { withRedis } from '../../harness/needs.ts';

const test = suite('redis');
const [yes, no] = [() => true, () => false];
const { app: db, name } = useDatabase(test);

withRedis('limits that two processes share on Redis', (redisUrl) => {
  test('two processes share one count', async () => {
    const log = createLogger('silent');
    const options = { db, redisUrl, userPerMinute: 5, addressPerMinute: 3, log, prefix: name };
    const [one, two] = [openLimits(options), openLimits(options)];
    for (const process of [one, two])
      await eventually('connected', () => process.takeAsSession('warm', 'closed').then(yes, no));
    const takes = await Promise.allSettled(
      Array.from({ length: 12 }, (_, index) => (index % 2 ? one : two).takeAsUser(1, 'closed')),
    );
    assert.is(takes.filter(({ status }) => status === 'fulfilled').length, 5);
    await Promise.all([one.close(), two.close()]);
  });
});

test.run();
