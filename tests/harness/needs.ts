// Tests that need what not every machine has. Where it is missing they are skipped, and the run says so at its end:
// `npm test` collects the lines that are written here.

/** The Redis of this run: TEST_REDIS_URL, or a throw-away server where `redis-server` is installed. */
const redisUrl = process.env.TEST_REDIS_URL;

export const needsRedis = 'needs redis-server on the PATH, or TEST_REDIS_URL';

/** Runs `define` with the address of the run's Redis, or says that `what` was skipped for want of one. */
export function withRedis(what: string, define: (url: string) => void): void {
  if (redisUrl) define(redisUrl);
  else skipped(what, needsRedis);
}

/** `why` names what is missing, in the same words for all that miss it. */
export function skipped(what: string, why: string): void {
  process.stdout.write(`SKIPPED ${what} | ${why}\n`);
}
