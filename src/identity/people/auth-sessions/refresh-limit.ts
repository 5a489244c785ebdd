// The rate limit of refreshes is per session, so that one client behind a school's address does not block the others.

import type { Services } from '#core/module/services.ts';
import { inContext } from '#core/platform/db.ts';
import { sha256Hex } from '#core/platform/pure/canonical-json.ts';
import { RefreshToken } from '../records/users.ts';

/** Throws RATE_LIMITED. An unknown token is counted against the client address. */
export async function limitRefresh(
  { db, limits, cipher }: Pick<Services, 'db' | 'limits' | 'cipher'>,
  refreshToken: string,
  clientIp: string,
): Promise<void> {
  const known = await inContext(db, 'SUPER', async (trx) =>
    RefreshToken.query(trx).findById(sha256Hex(refreshToken)).select('sessionId'),
  );
  if (known) await limits.takeAsSession(known.sessionId, 'open');
  else await limits.takeAsAddress(cipher.keyedHash('address', clientIp), 'open', 'refresh');
}
