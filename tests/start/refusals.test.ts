// timeout: 480s
// Refusals that depend on a store: each ends the start with one line. Production has the most of them.
import { randomBytes } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { refuseUnsafeStart } from '#app/start-refusals.ts';
import { readConfig } from '#core/platform/config/read-config.ts';
import { refuseEviction } from '#core/platform/config/redis-policy.ts';
import { createLogger } from '#core/platform/process/logger.ts';
import { useDatabase } from '../harness/database.ts';
import { onDatabase, ready, usePrograms, withOwnRedis } from './program.ts';

const test = suite('refusals');
const database = useDatabase(test);
const run = usePrograms(test);
const log = createLogger('silent');

const production = () => ({
  ...onDatabase(database),
  NODE_ENV: 'production',
  TOKEN_SIGNING_KEY: randomBytes(32).toString('base64'),
  TOKEN_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
  IP_HASH_SALT: randomBytes(16).toString('hex'),
  BOOTSTRAP_TOKEN: randomBytes(16).toString('hex'),
});

async function refusal(environment: Record<string, string>): Promise<string> {
  const service = run('src/main.ts', environment);
  assert.is(await service.ended(), 1, service.output());
  assert.match(service.output(), /^Cannot start: [^\n]+\n$/);
  return service.output();
}

const inProcess = (environment: Record<string, string>) =>
  refuseUnsafeStart(readConfig({ ...production(), ...environment }), database.app, log);

async function throws(work: Promise<void>, pattern: RegExp): Promise<void> {
  const thrown: unknown = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  assert.match(String(thrown), pattern);
  assert.not.match(String(thrown), '\n');
}

test('production with all required settings starts', async () => {
  const service = run('src/main.ts', production());
  await service.until(ready);
  assert.is((await service.stop()).code, 0);
});

test('production without a login of the run-time role', async () => {
  assert.match(await refusal({ ...production(), DATABASE_APP_URL: '' }), 'set DATABASE_APP_URL');
});

test('outside production the owner’s login may act as the run-time role, and one line reports it', async () => {
  const service = run('src/main.ts', { ...onDatabase(database), DATABASE_APP_URL: '', LOG_LEVEL: 'warn' });
  await service.until(ready);
  const output = service
    .output()
    .split('\n')
    .filter((line) => line.includes('DATABASE_APP_URL'));
  assert.is(output.length, 1);
  await service.stop();
});

test('a login that may become a privileged one is refused like it', async () => {
  const name = `member_${database.name}`;
  await database.owner.raw(`create role ${name} login password 'x' in role literacy_app`);
  await database.owner.raw(`create role ${name}_boss bypassrls`);
  await database.owner.raw(`grant ${name}_boss to ${name}`);
  try {
    const url = new URL(database.appUrl);
    url.username = name;
    url.password = 'x';
    assert.match(
      await refusal({ ...onDatabase(database), DATABASE_APP_URL: url.href }),
      'able to become one that does',
    );
  } finally {
    await database.owner.raw(`drop role ${name}; drop role ${name}_boss`);
  }
});

/** Creates a login with this name and these roles. Returns the output of a start with it. */
async function refusalOf(name: string, ...roles: string[]): Promise<string> {
  const { owner, appUrl } = database;
  await owner.raw(`create role ${name} login password 'x'`);
  for (const role of roles) await owner.raw(`grant ${role} to ${name}`);
  const url = new URL(appUrl);
  [url.username, url.password] = [name, 'x'];
  try {
    return await refusal({ ...production(), DATABASE_APP_URL: url.href });
  } finally {
    await owner.raw(`drop role if exists ${name}; drop role if exists ${name}_platform`);
  }
}

test('a login that has not been granted the run-time role: one line with the remedy', async () => {
  const output = await refusalOf(`unfit_${database.name}`);
  assert.match(output, 'DATABASE_APP_URL: this login has not been granted literacy_app');
  assert.match(output, 'npm run migrate -- --print-roles');
});

test('a login that may become the platform’s role', async () => {
  const output = await refusalOf(`wide_${database.name}`, 'literacy_app', 'literacy_platform');
  assert.match(output, 'DATABASE_APP_URL: this login must not be granted literacy_platform');
});

test('an unknown login or a wrong password', async () => {
  const url = new URL(database.appUrl);
  url.password = 'another';
  assert.match(
    await refusal({ ...production(), DATABASE_APP_URL: url.href }),
    'DATABASE_APP_URL: the database refuses this login',
  );
});

test('the platform’s login is created beside a suitable login, and updated when the password changes', async () => {
  const { owner, appUrl } = database;
  const name = `fit_${database.name}`;
  const url = new URL(appUrl);
  await owner.raw(`create role ${name} login password 'first' in role literacy_app`);
  try {
    for (const password of ['first', "se'cond?"]) {
      await owner.raw(`alter role ${name} password '${password.replace("'", "''").replace('?', '\\?')}'`);
      [url.username, url.password] = [name, encodeURIComponent(password)];
      const service = run('src/main.ts', { ...production(), DATABASE_APP_URL: url.href });
      await service.until(ready);
      assert.is((await service.stop()).code, 0);
    }
  } finally {
    await owner.raw(`drop role ${name}; drop role ${name}_platform`);
  }
});

test('production with open registration', async () => {
  await throws(inProcess({ BOOTSTRAP_TOKEN: '' }), /BOOTSTRAP_TOKEN with at least 32 characters/);
  await throws(inProcess({ BOOTSTRAP_TOKEN: 'x'.repeat(31) }), /BOOTSTRAP_TOKEN with at least 32 characters/);
  await inProcess({ BOOTSTRAP_TOKEN: 'x'.repeat(32) });
  await addUser({ scope: 'SUPER', email: 'root@example.org' });
  await inProcess({ BOOTSTRAP_TOKEN: '' });
});

test('demo logins of an earlier start on a public address', async () => {
  const open = { NODE_ENV: 'development', HOST: '0.0.0.0', SEED_DEMO: 'false' };
  await inProcess(open);
  await addUser({ scope: 'SUPER', email: 'admin.sandbox@example.org' });
  await throws(inProcess(open), /HOST must be a loopback address while demo logins are seeded/);
  await inProcess({ ...open, HOST: '127.0.0.1' });
});

const addUser = (fields: { scope: string; email: string }) =>
  database.owner('app_user').insert({
    ...fields,
    organizationId: 'platform',
    primaryPersona: 'ADMIN',
    fullNameAr: 'مديرة',
    createdAt: '2026-01-01T00:00:00.000Z',
  });

withOwnRedis('the eviction policy of Redis', (start) => {
  test('a Redis that may evict keys is refused in production and logs a warning elsewhere', async () => {
    const redis = await start('--maxmemory-policy', 'allkeys-lru');
    try {
      const unsafe = { ...production(), REDIS_URL: redis.url };
      assert.match(await refusal(unsafe), "REDIS_URL: the store's maxmemory-policy must be noeviction");
      const elsewhere = run('src/main.ts', { ...onDatabase(database), REDIS_URL: redis.url, LOG_LEVEL: 'warn' });
      await elsewhere.until(ready);
      assert.is(elsewhere.output().split('maxmemory-policy must be noeviction').length - 1, 1);
      await elsewhere.stop();
    } finally {
      redis.kill();
    }
  });

  test('a Redis without eviction is accepted; in production one that is down is refused', async () => {
    const redis = await start();
    const safe = readConfig({ ...production(), REDIS_URL: redis.url });
    await refuseEviction(safe, log);
    redis.kill();
    await throws(refuseEviction(safe, log), /^Error: REDIS_URL: the store cannot be reached/);
  });
});

test.run();
