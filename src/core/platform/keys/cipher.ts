// What is done with the service's own keys: encrypting secrets that must be read again, and keyed hashes of secrets that
// are too short for a plain hash (quick codes, addresses). Of several keys the first is the one in use; what an earlier one
// has encrypted or hashed is still read, so that a key can be replaced while the service goes on.
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import type { AnswerCipher } from '../idempotency.ts';

export interface SecretCipher extends AnswerCipher {
  /**
   * AES-256-GCM under the first key: `<key id>.<base64>`, so that a row says which key opens it. `context` is
   * authenticated and must be the same when it is opened.
   */
  encrypt(text: string, context: string): string;
  /** Throws for another context, a changed bit, and what none of the keys has encrypted. */
  decrypt(encrypted: string, context: string): string;
  /** Ids of all keys, 12 hex digits each, the one that encrypts first. An id tells nothing of its key. */
  readonly keyIds: readonly string[];
  /** Keyed hash under the first key, lower-case hex. The purpose keeps equal texts of different meaning apart. */
  keyedHash(purpose: string, text: string): string;
  /** The hashes under all keys, that of the first key first: what a stored hash is looked up by. */
  keyedHashes(purpose: string, text: string): readonly string[];
}

const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;
const keyIdBytes = 6;
/** A shortened tag would be easier to forge. */
const tagLength = { authTagLength: tagBytes };

interface OneKey {
  readonly id: string;
  readonly encryptionKey: Buffer;
  readonly hashingKey: Buffer;
}

/** `keys`: 32 bytes each, at least one. What is encrypted or hashed under one purpose is useless under another. */
export function createCipher(keys: readonly [Buffer, ...Buffer[]]): SecretCipher {
  const first = derived(keys[0]);
  const all = [first, ...keys.slice(1).map(derived)];
  return {
    encrypt: (text, context) => `${first.id}.${seal(first, text, context)}`,
    decrypt(encrypted, context) {
      const [id, sealed] = encrypted.includes('.') ? encrypted.split('.', 2) : [undefined, encrypted];
      return open(
        all.filter((key) => id === undefined || key.id === id),
        sealed ?? '',
        context,
      );
    },
    keyIds: all.map(({ id }) => id),
    keyedHash: (purpose, text) => hash(first, purpose, text),
    keyedHashes: (purpose, text) => all.map((key) => hash(key, purpose, text)),
  };
}

function derived(key: Buffer): OneKey {
  const part = (purpose: string, bytes: number) => Buffer.from(hkdfSync('sha256', key, '', purpose, bytes));
  return {
    id: part('key-id', keyIdBytes).toString('hex'),
    encryptionKey: part('encryption', 32),
    hashingKey: part('keyed-hash', 32),
  };
}

function seal({ encryptionKey }: OneKey, text: string, context: string): string {
  const nonce = randomBytes(nonceBytes);
  const gcm = createCipheriv(algorithm, encryptionKey, nonce, tagLength).setAAD(Buffer.from(context));
  const body = Buffer.concat([gcm.update(text, 'utf8'), gcm.final()]);
  return Buffer.concat([nonce, gcm.getAuthTag(), body]).toString('base64');
}

/** Rows from before keys had ids are tried with each key: authentication tells which one it was. */
function open(keys: readonly OneKey[], sealed: string, context: string): string {
  const bytes = Buffer.from(sealed, 'base64');
  let failure: unknown = new Error('none of the keys has encrypted this');
  for (const key of keys) {
    try {
      return opened(key, bytes, context);
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

function opened({ encryptionKey }: OneKey, bytes: Buffer, context: string): string {
  const decipher = createDecipheriv(algorithm, encryptionKey, bytes.subarray(0, nonceBytes), tagLength);
  decipher.setAAD(Buffer.from(context)).setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
  return Buffer.concat([decipher.update(bytes.subarray(nonceBytes + tagBytes)), decipher.final()]).toString('utf8');
}

const hash = ({ hashingKey }: OneKey, purpose: string, text: string): string =>
  createHmac('sha256', hashingKey)
    .update(JSON.stringify([purpose, text]))
    .digest('hex');
