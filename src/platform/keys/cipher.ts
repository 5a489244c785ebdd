// What is done with the service's own key: encrypting secrets that must be read again, and keyed hashes of secrets that
// are too short for a plain hash (quick codes, addresses).
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import type { AnswerCipher } from '../idempotency.ts';

export interface SecretCipher extends AnswerCipher {
  /** Keyed hash, lower-case hex. The purpose keeps equal texts of different meaning apart. */
  keyedHash(purpose: string, text: string): string;
}

const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;
/** A shortened tag would be easier to forge. */
const tagLength = { authTagLength: tagBytes };

/** `key`: 32 bytes. What is encrypted or hashed under one purpose is useless under another. */
export function createCipher(key: Buffer): SecretCipher {
  const derived = (purpose: string) => Buffer.from(hkdfSync('sha256', key, '', purpose, 32));
  const encryptionKey = derived('encryption');
  const hashingKey = derived('keyed-hash');
  return {
    encrypt(text, context) {
      const nonce = randomBytes(nonceBytes);
      const gcm = createCipheriv(algorithm, encryptionKey, nonce, tagLength).setAAD(Buffer.from(context));
      const body = Buffer.concat([gcm.update(text, 'utf8'), gcm.final()]);
      return Buffer.concat([nonce, gcm.getAuthTag(), body]).toString('base64');
    },
    decrypt(encrypted, context) {
      const bytes = Buffer.from(encrypted, 'base64');
      const decipher = createDecipheriv(algorithm, encryptionKey, bytes.subarray(0, nonceBytes), tagLength);
      decipher.setAAD(Buffer.from(context)).setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
      return Buffer.concat([decipher.update(bytes.subarray(nonceBytes + tagBytes)), decipher.final()]).toString('utf8');
    },
    keyedHash: (purpose, text) =>
      createHmac('sha256', hashingKey)
        .update(JSON.stringify([purpose, text]))
        .digest('hex'),
  };
}
