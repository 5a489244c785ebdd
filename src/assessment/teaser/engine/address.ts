// A client address is kept as a keyed hash only: enough to count its starts, not enough to find it.
import { createHmac } from 'node:crypto';

/** HMAC-SHA256 with IP_HASH_SALT as the key; lower-case hex. */
export const addressHash = (salt: string, clientIp: string): string =>
  createHmac('sha256', salt).update(clientIp).digest('hex');
