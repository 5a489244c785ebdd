// The three secrets of a deployment. Outside production a missing one is generated once and stored in the data directory.
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import type { Config } from '../config/config.ts';
import { ConfigError } from '../config/settings.ts';
import { ensureDataDir } from '../postgres/data-dir.ts';

export interface Secrets {
  /** Ed25519 seeds of 32 bytes each. The first signs and all verify, so that a key can be rotated without a logout. */
  readonly tokenSigningSeeds: readonly Buffer[];
  /** Keys of 32 bytes each. The first encrypts and all decrypt, so that a key can be replaced while secrets stay readable. */
  readonly tokenEncryptionKeys: readonly [Buffer, ...Buffer[]];
  readonly ipHashSalt: string;
}

const keyBytes = 32;
const minDifferentBytes = 16;

/** Throws ConfigError if a configured key is not 32 bytes of base64, or is weak in production. */
export function loadSecrets(config: Config): Secrets {
  const signing = config.tokenSigningKey ?? generatedSecret(config.dataDir, 'token-signing-key');
  const encryption = config.tokenEncryptionKey ?? generatedSecret(config.dataDir, 'token-encryption-key');
  const seeds = decodeKeys('TOKEN_SIGNING_KEY', signing);
  const tokenEncryptionKeys = decodeKeys('TOKEN_ENCRYPTION_KEY', encryption);
  if (config.production) refuseWeakKeys(seeds, tokenEncryptionKeys);
  const ipHashSalt = config.ipHashSalt ?? generatedSecret(config.dataDir, 'ip-hash-salt');
  return { tokenSigningSeeds: seeds, tokenEncryptionKeys, ipHashSalt };
}

/** 32 random bytes have about 30 different values and practically never fewer than 16; a key with fewer was typed by hand. */
function refuseWeakKeys(seeds: readonly Buffer[], encryptionKeys: readonly Buffer[]): void {
  const weak = (key: Buffer) => new Set(key).size < minDifferentBytes;
  const advice = `must have at least ${minDifferentBytes} different bytes in production.`;
  if (seeds.some(weak)) throw new ConfigError(`TOKEN_SIGNING_KEY ${advice}`);
  if (encryptionKeys.some(weak)) throw new ConfigError(`TOKEN_ENCRYPTION_KEY ${advice}`);
  if (encryptionKeys.some((key) => seeds.some((seed) => seed.equals(key)))) {
    throw new ConfigError('TOKEN_SIGNING_KEY and TOKEN_ENCRYPTION_KEY must not share a key in production.');
  }
}

function decodeKeys(name: string, list: string): [Buffer, ...Buffer[]] {
  const [first = '', ...others] = list.split(',');
  return [decodeKey(name, first), ...others.map((text) => decodeKey(name, text))];
}

function decodeKey(name: string, text: string): Buffer {
  const bytes = Buffer.from(text.trim(), 'base64');
  if (bytes.length !== keyBytes || bytes.toString('base64') !== text.trim()) {
    throw new ConfigError(`${name} must hold 32 bytes as base64 (for example from: openssl rand -base64 32).`);
  }
  return bytes;
}

function generatedSecret(dataDir: string, name: string): string {
  const file = path.join(dataDir, name);
  ensureDataDir(dataDir);
  if (!fs.existsSync(file)) createWhole(file, randomBytes(keyBytes).toString('base64'));
  return fs.readFileSync(file, 'utf8').trim();
}

/** If two processes start at once, one creates the file, and neither reads it half-written. */
function createWhole(file: string, content: string): void {
  const draft = `${file}.${process.pid}`;
  fs.writeFileSync(draft, content, { mode: 0o600 });
  try {
    fs.linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    fs.rmSync(draft, { force: true });
  }
}
