// A client address is kept as a keyed hash only: enough to count its starts, not enough to find it.
import { createHmac } from 'node:crypto';
import type { Config } from '../platform/config.ts';
import { loadSecrets } from '../platform/secrets.ts';

/** HMAC-SHA256 with IP_HASH_SALT (where it is not configured, the one kept in the data directory); lower-case hex. */
export function addressHash(config: Config, clientIp: string): string {
  const salt = config.ipHashSalt ?? loadSecrets(config).ipHashSalt;
  return createHmac('sha256', salt).update(clientIp).digest('hex');
}
