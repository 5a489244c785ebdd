// Client addresses are stored as keyed hashes only, which suffice for counting starts and do not reveal the address.
import { createHmac } from 'node:crypto';

/** HMAC-SHA256 with IP_HASH_SALT as the key; lower-case hex. */
export const addressHash = (salt: string, clientIp: string): string =>
  createHmac('sha256', salt).update(clientIp).digest('hex');
