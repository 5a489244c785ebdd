// Cryptography with the service's own keys: encryption of secrets that must be decrypted again, and keyed hashes of secrets
// that are too short for a plain hash (quick codes, addresses). The first key is the current one; earlier keys still decrypt
// and match, so that a key can be replaced at run time.
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import type { AnswerCipher } from '../idempotency.ts';

export interface SecretCipher extends AnswerCipher {
  /**
   * Encrypts with AES-256-GCM under the first key: `<key id>.<base64>`, so that a row names its key. `context` is authenticated
   * and must be the same for decryption.
   */
  encrypt(text: string, context: string): string;
  /** Throws for another context, a changed bit, and text that none of the keys has encrypted. */
  decrypt(encrypted: string, context: string): string;
  /** Ids of all keys, 12 hex digits each, the current one first. An id reveals nothing about its key. */
  readonly keyIds: readonly string[];
  /** Returns the keyed hash under the first key, in lower-case hex. `purpose` separates equal texts of different meaning. */
  keyedHash(purpose: string, text: string): string;
  /** Returns the hashes under all keys, the first key's first, to look up a stored hash. */
  keyedHashes(purpose: string, text: string): readonly string[];
}

const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;
const keyIdBytes = 6;
/** A truncated tag would be easier to forge. */
const tagLength = { authTagLength: tagBytes };

interface DerivedKeys {
  readonly id: string;
  readonly encryptionKey: Buffer;
  readonly hashingKey: Buffer;
}

/** `keys` has at least one key of 32 bytes. A ciphertext or hash is bound to its purpose. */
export function createCipher(keys: readonly [Buffer, ...Buffer[]]): SecretCipher {
  const first = deriveKeys(keys[0]);
  const all = [first, ...keys.slice(1).map(deriveKeys)];
  return {
    encrypt: (text, context) => `${first.id}.${encryptWith(first, text, context)}`,
    decrypt(encrypted, context) {
      const [id, ciphertext] = encrypted.includes('.') ? encrypted.split('.', 2) : [undefined, encrypted];
      return decryptWithAny(
        all.filter((key) => id === undefined || key.id === id),
        ciphertext ?? '',
        context,
      );
    },
    keyIds: all.map(({ id }) => id),
    keyedHash: (purpose, text) => hash(first, purpose, text),
    keyedHashes: (purpose, text) => all.map((key) => hash(key, purpose, text)),
  };
}

function deriveKeys(key: Buffer): DerivedKeys {
  const part = (purpose: string, bytes: number) => Buffer.from(hkdfSync('sha256', key, '', purpose, bytes));
  return {
    id: part('key-id', keyIdBytes).toString('hex'),
    encryptionKey: part('encryption', 32),
    hashingKey: part('keyed-hash', 32),
  };
}

function encryptWith({ encryptionKey }: DerivedKeys, text: string, context: string): string {
  const nonce = randomBytes(nonceBytes);
  const gcm = createCipheriv(algorithm, encryptionKey, nonce, tagLength).setAAD(Buffer.from(context));
  const body = Buffer.concat([gcm.update(text, 'utf8'), gcm.final()]);
  return Buffer.concat([nonce, gcm.getAuthTag(), body]).toString('base64');
}

/** Texts from before keys had ids are tried with each key; the authentication tag shows which one is right. */
function decryptWithAny(keys: readonly DerivedKeys[], ciphertext: string, context: string): string {
  const bytes = Buffer.from(ciphertext, 'base64');
  let failure: unknown = new Error('none of the keys has encrypted this');
  for (const key of keys) {
    try {
      return decryptWith(key, bytes, context);
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

function decryptWith({ encryptionKey }: DerivedKeys, bytes: Buffer, context: string): string {
  const decipher = createDecipheriv(algorithm, encryptionKey, bytes.subarray(0, nonceBytes), tagLength);
  decipher.setAAD(Buffer.from(context)).setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
  return Buffer.concat([decipher.update(bytes.subarray(nonceBytes + tagBytes)), decipher.final()]).toString('utf8');
}

const hash = ({ hashingKey }: DerivedKeys, purpose: string, text: string): string =>
  createHmac('sha256', hashingKey)
    .update(JSON.stringify([purpose, text]))
    .digest('hex');
