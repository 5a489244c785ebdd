import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { readConfig } from '#core/platform/config/read-config.ts';
import { ConfigError } from '#core/platform/config/settings.ts';
import { loadSecrets } from '#core/platform/keys/secrets.ts';

let dir = '';
test.before.each(() => {
  dir = fs.mkdtempSync(path.join(os.tmpdir(), 'secrets-test-'));
});
test.after.each(() => fs.rmSync(dir, { recursive: true }));

const load = (environment: Record<string, string> = {}) => loadSecrets(readConfig({ DATA_DIR: dir, ...environment }));
const key = () => randomBytes(32).toString('base64');

test('missing keys are generated once and readable by the owner only', () => {
  const first = load();
  const second = load();
  assert.equal(second, first);
  const [seed] = first.tokenSigningSeeds;
  assert.is(seed?.length, 32);
  const [encryptionKey] = first.tokenEncryptionKeys;
  assert.is(encryptionKey.length, 32);
  assert.not.equal(seed, encryptionKey);
  for (const file of fs.readdirSync(dir)) assert.is(fs.statSync(path.join(dir, file)).mode & 0o077, 0, file);
});

test('two data directories share no key', () => {
  const here = load();
  const elsewhere = load({ DATA_DIR: path.join(dir, 'other') });
  assert.not.equal(elsewhere.tokenSigningSeeds, here.tokenSigningSeeds);
  assert.not.equal(elsewhere.ipHashSalt, here.ipHashSalt);
});

test('a rotated list of signing keys keeps its order', () => {
  const [current, previous] = [key(), key()];
  const { tokenSigningSeeds } = load({ TOKEN_SIGNING_KEY: `${current}, ${previous}` });
  assert.equal(
    tokenSigningSeeds.map((seed) => seed.toString('base64')),
    [current, previous],
  );
});

test('of several encryption keys the first comes first', () => {
  const [current, previous] = [key(), key()];
  const { tokenEncryptionKeys } = load({ TOKEN_ENCRYPTION_KEY: `${current},${previous}` });
  assert.equal(
    tokenEncryptionKeys.map((bytes) => bytes.toString('base64')),
    [current, previous],
  );
});

test('configured keys create no file in the data directory', () => {
  load({ TOKEN_SIGNING_KEY: key(), TOKEN_ENCRYPTION_KEY: key(), IP_HASH_SALT: 'salt' });
  assert.equal(fs.readdirSync(dir), []);
});

for (const name of ['TOKEN_SIGNING_KEY', 'TOKEN_ENCRYPTION_KEY']) {
  for (const [what, value] of [
    ['31 bytes', randomBytes(31).toString('base64')],
    ['33 bytes', randomBytes(33).toString('base64')],
    ['hex', randomBytes(32).toString('hex')],
  ] as const) {
    test(`${name}: ${what} is refused in one line that names it and not the value`, () => {
      const message = refusal({ [name]: value });
      assert.match(message, new RegExp(`^${name} [^\\n]+$`));
      assert.not.match(message, value);
    });
  }
}

test('an empty entry in a list of keys is refused', () => {
  assert.match(refusal({ TOKEN_ENCRYPTION_KEY: `${key()},` }), /^TOKEN_ENCRYPTION_KEY /);
  assert.match(refusal({ TOKEN_SIGNING_KEY: `${key()},` }), /^TOKEN_SIGNING_KEY /);
});

/** Everything else that production requires. */
const production = () => ({
  NODE_ENV: 'production',
  DATABASE_URL: 'postgres://owner@db/x',
  TOKEN_SIGNING_KEY: key(),
  TOKEN_ENCRYPTION_KEY: key(),
  IP_HASH_SALT: 'sixteen letters!',
});
const shared = key();
const fifteenBytes = Buffer.from(Array.from({ length: 32 }, (_, index) => index % 15)).toString('base64');
const sixteenBytes = Buffer.from(Array.from({ length: 32 }, (_, index) => index % 16)).toString('base64');

for (const [what, keys, line] of [
  ['32 zero bytes', { TOKEN_SIGNING_KEY: Buffer.alloc(32).toString('base64') }, /^TOKEN_SIGNING_KEY must have/],
  ['15 different bytes', { TOKEN_ENCRYPTION_KEY: fifteenBytes }, /^TOKEN_ENCRYPTION_KEY must have at least 16/],
  ['a weak key to rotate from', { TOKEN_SIGNING_KEY: `${key()},${fifteenBytes}` }, /^TOKEN_SIGNING_KEY must have/],
  ['one key for both', { TOKEN_SIGNING_KEY: shared, TOKEN_ENCRYPTION_KEY: shared }, /^TOKEN_SIGNING_KEY and TOKEN_E/],
  [
    'a weak key to decrypt with',
    { TOKEN_ENCRYPTION_KEY: `${key()},${fifteenBytes}` },
    /^TOKEN_ENCRYPTION_KEY must have/,
  ],
  ['an old key for both', { TOKEN_SIGNING_KEY: `${key()},${shared}`, TOKEN_ENCRYPTION_KEY: shared }, /must not share/],
] as const) {
  test(`production refuses ${what} in one line; elsewhere it may be`, () => {
    assert.match(refusal({ ...production(), ...keys }), line);
    load({ ...production(), ...keys, NODE_ENV: 'development' });
  });
}

test('production accepts 16 different bytes', () => {
  load({ ...production(), TOKEN_ENCRYPTION_KEY: sixteenBytes });
});

function refusal(environment: Record<string, string>): string {
  try {
    load(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  throw new Error('accepted');
}

test.run();
