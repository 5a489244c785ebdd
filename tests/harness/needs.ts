// Tests that need a program or service that not every machine has. They are skipped without it, and `npm test` collects
// the lines written here and prints them at the end of the run.

/** The Redis of this run: TEST_REDIS_URL, or a temporary server where `redis-server` is installed. */
const redisUrl = process.env.TEST_REDIS_URL;

export const needsRedis = 'needs redis-server on the PATH, or TEST_REDIS_URL';

/** Calls `define` with the address of the run's Redis, or reports that `what` was skipped. */
export function withRedis(what: string, define: (url: string) => void): void {
  if (redisUrl) define(redisUrl);
  else skipped(what, needsRedis);
}

/** `why` names the missing requirement, in the same words in all tests that need it. */
export function skipped(what: string, why: string): void {
  process.stdout.write(`SKIPPED ${what} | ${why}\n`);
}
