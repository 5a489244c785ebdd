import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { readConfig } from '#core/platform/config/read-config.ts';
import { configRefusals, isLoopback } from '#core/platform/config/refusals.ts';
import { ConfigError } from '#core/platform/config/settings.ts';
import { variableGroups } from '#core/platform/config/variables.ts';

type Environment = Readonly<Record<string, string>>;

/** Everything that production requires. */
const production: Environment = {
  NODE_ENV: 'production',
  TOKEN_SIGNING_KEY: 'a'.repeat(43),
  TOKEN_ENCRYPTION_KEY: 'b'.repeat(43),
  IP_HASH_SALT: 'sixteen letters!',
  DATABASE_URL: 'postgres://owner@db/x',
};
const google: Environment = {
  GOOGLE_CLIENT_ID: 'id',
  GOOGLE_CLIENT_SECRET: 'secret',
  FRONTEND_URL: 'https://a.example',
  PUBLIC_URL: 'https://b.example',
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
  { DATABASE_URL: 'postgres://localhost/x', DATABASE_LISTEN_URL: 'http://localhost/x' },
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
  { PUBLIC_URL: 'example.org' },
  { PUBLIC_URL: 'https://me:secret@example.org' },
  { PUBLIC_URL: 'https://example.org/?x=1' },
  { DB_POOL_SIZE: '1' },
  { DB_POOL_SIZE: '501' },
  { APPROVER_WAIT_HOURS: '-1' },
  { APPROVER_WAIT_HOURS: 'three days' },
  { GOOGLE_CLASSROOM_URL: 'classroom.googleapis.com' },
  { LMS_GUARDIAN_IMPORT_ENABLED: 'yes' },
  { LMS_TRUSTED_HOSTS: 'roster.example' },
  { LMS_TRUSTED_HOSTS: 'https://roster.example:443' },
  { LMS_TRUSTED_HOSTS: 'roster.example:443,' },
  { LMS_REQUEST_TIMEOUT_MS: '99' },
  { LMS_REQUEST_TIMEOUT_MS: '60001' },
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

/** By the line of the refusal: an environment that it refuses, and the change that it accepts. */
const contradictions: Readonly<Record<string, { refused: Environment; accepted: Environment }>> = {
  'DATABASE_APP_URL is the run-time role': {
    refused: { DATABASE_APP_URL: 'postgres://app@localhost/x' },
    accepted: { DATABASE_APP_URL: 'postgres://app@localhost/x', DATABASE_URL: 'postgres://owner@localhost/x' },
  },
  'DATABASE_LISTEN_URL leads past the pooler': {
    refused: { DATABASE_LISTEN_URL: 'postgres://app@localhost/x' },
    accepted: {
      DATABASE_LISTEN_URL: 'postgres://app@localhost/x',
      DATABASE_APP_URL: 'postgres://app@localhost:6432/x',
      DATABASE_URL: 'postgres://owner@localhost/x',
    },
  },
  'HOST must be a loopback address': {
    refused: { HOST: '0.0.0.0' },
    accepted: { HOST: '0.0.0.0', SEED_DEMO: 'false' },
  },
  'CLOCK_OFFSET_FILE moves the clock': {
    refused: { ...production, CLOCK_OFFSET_FILE: '/tmp/offset' },
    accepted: { CLOCK_OFFSET_FILE: '/tmp/offset' },
  },
  'TOKEN_SIGNING_KEY is required': { refused: { ...production, TOKEN_SIGNING_KEY: '' }, accepted: production },
  'TOKEN_ENCRYPTION_KEY is required': { refused: { ...production, TOKEN_ENCRYPTION_KEY: '' }, accepted: production },
  'IP_HASH_SALT is required': { refused: { ...production, IP_HASH_SALT: '' }, accepted: production },
  'IP_HASH_SALT must have at least 16 characters': {
    refused: { ...production, IP_HASH_SALT: 'fifteen letters' },
    accepted: { IP_HASH_SALT: 'x' },
  },
  'DATABASE_URL is required': { refused: { ...production, DATABASE_URL: '' }, accepted: production },
  'APPROVER_WAIT_HOURS must not be 0': {
    refused: { ...production, APPROVER_WAIT_HOURS: '0' },
    accepted: { ...production, APPROVER_WAIT_HOURS: '1' },
  },
  'SEED_DEMO in production needs a DEMO_PASSWORD': {
    refused: { ...production, SEED_DEMO: 'true', DEMO_PASSWORD: 'fifteen letters' },
    accepted: { ...production, SEED_DEMO: 'true', DEMO_PASSWORD: 'sixteen letters!' },
  },
  'LMS_TRUSTED_HOSTS must not hold a link-local address': {
    refused: { ...production, LMS_TRUSTED_HOSTS: 'roster.example:443,169.254.169.254:80' },
    accepted: { ...production, LMS_TRUSTED_HOSTS: '10.0.0.1:80,roster.example:443' },
  },
  'GOOGLE_ISSUER must begin with https://': {
    refused: { ...production, GOOGLE_ISSUER: 'http://issuer.example' },
    accepted: { GOOGLE_ISSUER: 'http://issuer.example' },
  },
  'FRONTEND_URL is required': {
    refused: { ...production, ...google, FRONTEND_URL: '' },
    accepted: { ...production, ...google },
  },
  'PUBLIC_URL is required': {
    refused: { ...production, ...google, PUBLIC_URL: '' },
    accepted: { ...google, PUBLIC_URL: '' },
  },
};

test('every refusal of a combination has a case here', () => {
  const lines = configRefusals.map(({ line }) => line);
  const names = Object.keys(contradictions);
  assert.is(lines.length, names.length);
  for (const line of lines)
    assert.ok(
      names.some((name) => line.startsWith(name)),
      line,
    );
});

for (const [name, { refused, accepted }] of Object.entries(contradictions)) {
  test(`refused in one line: ${name} …`, () => {
    const line = refusal(refused);
    assert.ok(line.startsWith(name), line);
    assert.not.match(line, '\n');
    readConfig(accepted);
  });
}

test('a link-local address is one in every spelling', () => {
  for (const host of [
    '169.254.0.1',
    '[fe80::1]',
    '[febf::1]',
    '[::ffff:169.254.169.254]',
    '2852039166',
    '0xa9.254.1',
  ]) {
    assert.match(refusal({ ...production, LMS_TRUSTED_HOSTS: `${host}:80` }), /^LMS_TRUSTED_HOSTS/, host);
  }
  for (const host of ['169.253.0.1', '[fec0::1]', 'fe80.example'])
    readConfig({ ...production, LMS_TRUSTED_HOSTS: `${host}:80` });
});

test('only addresses that no other machine can reach are loopback', () => {
  for (const host of ['127.0.0.1', '127.9.9.9', '::1', '[::1]', 'localhost', '::ffff:127.0.0.1'])
    assert.is(isLoopback(host), true, host);
  for (const host of ['0.0.0.0', '::', '10.0.0.1', 'localhost.example', '127.0.0.1.example', '127.1', ''])
    assert.is(isLoopback(host), false, host);
});

test('PUBLIC_URL keeps its path and loses its trailing slash', () => {
  assert.is(readConfig({ PUBLIC_URL: 'https://a.example/' }).publicUrl, 'https://a.example');
  assert.is(readConfig({ PUBLIC_URL: 'https://a.example/literacy/' }).publicUrl, 'https://a.example/literacy');
  assert.is(readConfig({}).publicUrl, undefined);
});

test('a new account waits three days in production before it approves, and not at all elsewhere', () => {
  assert.equal([readConfig(production).approverWaitHours, readConfig({}).approverWaitHours], [72, 0]);
  assert.is(readConfig({ APPROVER_WAIT_HOURS: '24' }).approverWaitHours, 24);
});

test('defaults of a developer’s machine', () => {
  const config = readConfig({});
  assert.equal(
    [config.host, config.port, config.dataDir, config.trustProxy, config.workers],
    ['127.0.0.1', 3000, '.data', 0, 'embedded'],
  );
  assert.equal([config.rateLimitUserPerMinute, config.rateLimitIpPerMinute], [600, 120]);
  assert.is(config.databaseUrl, undefined);
  assert.is(config.dbPoolSize, 10);
});

test('production runs no workers and seeds no demo by default', () => {
  const config = readConfig(production);
  assert.equal([config.production, config.workers, config.seedDemo], [true, 'none', false]);
  const demo = { SEED_DEMO: 'true', DEMO_PASSWORD: 'sixteen letters!' };
  const chosen = readConfig({ ...production, WORKERS: 'embedded', ...demo });
  assert.equal([chosen.workers, chosen.seedDemo], ['embedded', true]);
});

test('trusted hosts are given with their ports, in any case', () => {
  const { lms } = readConfig({ LMS_TRUSTED_HOSTS: 'Roster.Example:8443, [::1]:9000' });
  assert.equal([...lms.trustedHosts], ['roster.example:8443', '[::1]:9000']);
  assert.equal([...readConfig({}).lms.trustedHosts], []);
  assert.equal([readConfig({}).lms.guardianImport, readConfig({}).lms.requestTimeoutMs], [false, 10_000]);
});

test('an empty setting counts as not set', () => {
  const config = readConfig({ PORT: '', DATABASE_URL: ' ', SEED_DEMO: '' });
  assert.equal([config.port, config.databaseUrl], [3000, undefined]);
});

test('a variable is described once, and every refusal names one', () => {
  const names = variableGroups.flatMap(({ variables }) => variables.map(({ name }) => name));
  assert.is(new Set(names).size, names.length);
  for (const { line } of configRefusals) {
    assert.ok(
      names.some((name) => line.includes(name)),
      line,
    );
  }
});

test.run();
