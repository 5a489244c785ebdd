import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { ConfigError, readConfig } from '../../src/platform/config.ts';

type Environment = Readonly<Record<string, string>>;

/** Everything that production asks for. */
const production: Environment = {
  NODE_ENV: 'production',
  TOKEN_SIGNING_KEY: 'a'.repeat(43),
  TOKEN_ENCRYPTION_KEY: 'b'.repeat(43),
  IP_HASH_SALT: 'salt',
};

function refusal(environment: Environment): string {
  try {
    readConfig(environment);
  } catch (error) {
    assert.instance(error, ConfigError);
    return (error as ConfigError).message;
  }
  throw new Error(`accepted: ${JSON.stringify(environment)}`);
}

const wrong: readonly Environment[] = [
  { NODE_ENV: 'staging' },
  { PORT: 'http' },
  { PORT: '-1' },
  { PORT: '65536' },
  { PORT: '80.5' },
  { PORT: '0x50' },
  { DATABASE_URL: 'localhost:5432' },
  { DATABASE_URL: 'mysql://localhost/x' },
  { DATABASE_URL: 'postgres://localhost/x', DATABASE_APP_URL: 'http://localhost/x' },
  { REDIS_URL: 'localhost:6379' },
  { REDIS_URL: 'http://localhost:6379' },
  { SEED_DEMO: 'yes' },
  { FRONTEND_URL: 'example.org' },
  { FRONTEND_URL: 'javascript:alert(1)' },
  { TRUST_PROXY: 'true' },
  { TRUST_PROXY: '17' },
  { GOOGLE_ISSUER: 'accounts.google.com' },
  { LOG_LEVEL: 'verbose' },
  { RATE_LIMIT_USER_PER_MINUTE: '0' },
  { RATE_LIMIT_IP_PER_MINUTE: 'many' },
  { WORKERS: 'external' },
];

for (const environment of wrong) {
  const names = Object.keys(environment);
  test(`${JSON.stringify(environment)} is refused in one line that names the setting`, () => {
    const message = refusal(environment);
    assert.not.match(message, '\n');
    assert.ok(
      names.some((name) => message.startsWith(name)),
      message,
    );
  });
}

test('a refusal does not repeat the value, which may be a secret', () => {
  assert.not.match(refusal({ DATABASE_URL: 'mysql://user:hunter2@db/x' }), 'hunter2');
});

test('DATABASE_APP_URL alone is refused', () => {
  assert.match(refusal({ DATABASE_APP_URL: 'postgres://app@localhost/x' }), 'DATABASE_APP_URL');
});

for (const name of ['TOKEN_SIGNING_KEY', 'TOKEN_ENCRYPTION_KEY', 'IP_HASH_SALT']) {
  test(`production does not start without ${name}`, () => {
    assert.match(refusal({ ...production, [name]: '' }), new RegExp(`^${name}`));
  });
}

test('production does not start with a movable clock', () => {
  assert.match(refusal({ ...production, CLOCK_OFFSET_FILE: '/tmp/offset' }), /^CLOCK_OFFSET_FILE/);
});

test('defaults of a developer’s machine', () => {
  const config = readConfig({});
  assert.equal(
    [config.host, config.port, config.dataDir, config.trustProxy, config.workers],
    ['127.0.0.1', 3000, '.data', 0, 'embedded'],
  );
  assert.equal([config.rateLimitUserPerMinute, config.rateLimitIpPerMinute], [600, 120]);
  assert.is(config.databaseUrl, undefined);
});

test('production runs no workers and seeds no demo unless told to', () => {
  const config = readConfig(production);
  assert.equal([config.production, config.workers, config.seedDemo], [true, 'none', false]);
  const told = readConfig({ ...production, WORKERS: 'embedded', SEED_DEMO: 'true' });
  assert.equal([told.workers, told.seedDemo], ['embedded', true]);
});

test('an empty setting counts as not set', () => {
  const config = readConfig({ PORT: '', DATABASE_URL: ' ', SEED_DEMO: '' });
  assert.equal([config.port, config.databaseUrl], [3000, undefined]);
});

test.run();
